package dev.mooring.sandbox.junit;

import dev.mooring.model.json.MalformedJson;
import dev.mooring.sandbox.junit.KcpConnection.Credentials;
import dev.mooring.sandbox.security.certificate.KubeconfigContext;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Reads the current context of a kubeconfig.
 *
 * @param file names the kubeconfig in messages; files that it refers to lie relative to it
 */
record KubeconfigReader(Path file) {

  /**
   * @throws KcpProblem if the file cannot be read, or its user has neither a token nor a
   *     certificate
   */
  KcpConnection read() {
    try {
      KubeconfigContext context = KubeconfigContext.read(file);
      return new KcpConnection(
          context.server(), context.certificateAuthority(), credentials(context));
    } catch (UncheckedIOException | MalformedJson | IllegalArgumentException e) {
      throw new KcpProblem("the kubeconfig " + file + " cannot be read: " + e.getMessage(), e);
    }
  }

  private Credentials credentials(KubeconfigContext context) {
    return context
        .token()
        .<Credentials>map(Credentials.Token::new)
        .or(() ->
            context
                .clientCertificate()
                .map(own -> new Credentials.ClientCertificate(own.certificatePem(), own.keyPem())))
        .orElseThrow(() ->
            new KcpProblem(
                "the user \"%s\" of the kubeconfig %s has neither token nor client certificate, and others"
                        .formatted(context.userName(), file)
                    + " are not understood here: use a context whose user has one"));
  }
}
