package dev.mooring.sandbox.security.webhook;

import dev.mooring.model.json.MalformedJson;
import dev.mooring.sandbox.security.certificate.KubeconfigContext;
import dev.mooring.sandbox.security.certificate.TrustedAuthorities;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * Where a webhook is, from the current context of a kubeconfig. {@link #toString} shows no secret.
 *
 * @param tls with the client certificate, if there is one
 */
public record WebhookKubeconfig(URI server, SSLContext tls, Optional<String> token) {
  private static final List<String> UNSUPPORTED =
      List.of("exec", "auth-provider", "username", "tokenFile");

  /**
   * Reads the file; paths in it are relative to its directory.
   *
   * @throws IllegalArgumentException that names the file and what is wrong with it
   * @throws java.io.UncheckedIOException if it or a file that it names cannot be read
   */
  public static WebhookKubeconfig read(Path file) {
    try {
      KubeconfigContext context = KubeconfigContext.read(file);
      UNSUPPORTED.stream()
          .filter(context.user()::containsKey)
          .findFirst()
          .ifPresent(field -> {
            throw new IllegalArgumentException(
                "its user has "
                    + field
                    + ", which is not supported; give it a token or a client certificate");
          });
      return new WebhookKubeconfig(
          context.server(),
          TrustedAuthorities.context(context.certificateAuthority(), context.clientCertificate()),
          context.token());
    } catch (MalformedJson | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the kubeconfig of a webhook " + file + " is wrong: " + e.getMessage(), e);
    }
  }

  @Override
  public String toString() {
    return "WebhookKubeconfig[" + server + "]";
  }
}
