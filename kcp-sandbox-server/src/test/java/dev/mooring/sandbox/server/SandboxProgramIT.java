package dev.mooring.sandbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in a process of its own. */
class SandboxProgramIT {
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(60);
  private static final Pattern READY = Pattern.compile("kcp-sandbox is ready at (\\S+),.*");
  private static final Pattern AUTHORITY = Pattern.compile("certificate-authority-data: (\\S+)");
  private static final Pattern TOKEN = Pattern.compile("name: kcp-admin\\s+user:\\s+token: (\\S+)");
  private static final int STATUS_OF_SIGTERM = 128 + 15;

  @Test
  void closesEverythingAtSigterm(@TempDir Path root) throws Exception {
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                SandboxProgram.class.getName(),
                "start",
                "--root-directory",
                root.toString(),
                "--secure-port",
                "0")
            .redirectErrorStream(true)
            .start();
    try (BufferedReader output = program.inputReader()) {
      Matcher ready = READY.matcher("");
      while (!ready.reset(output.readLine()).matches()) {}
      String kubeconfig = Files.readString(root.resolve("admin.kubeconfig"));
      try (SSLSocket watch = watch(kubeconfig, URI.create(ready.group(1)))) {
        InputStream in = watch.getInputStream();
        assertThat(in.read()).isEqualTo('H');

        // Of the handle, for the process's own would close its output before it is read.
        program.toHandle().destroy();

        // A connection that breaks has no last chunk.
        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).endsWith("0\r\n\r\n");
      }
      assertThat(output.lines()).endsWith("kcp-sandbox has stopped");
      assertThat(program.waitFor(READ_TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(program.exitValue()).isEqualTo(STATUS_OF_SIGTERM);
    } finally {
      program.destroyForcibly();
    }
  }

  /** A connection of HTTP/1.1 on which the administrator has sent a watch. */
  private static SSLSocket watch(String kubeconfig, URI server) throws Exception {
    var socket =
        (SSLSocket)
            trusting(kubeconfig)
                .getSocketFactory()
                .createSocket(server.getHost(), server.getPort());
    socket.setSoTimeout((int) READ_TIMEOUT.toMillis());
    String request =
        "GET /clusters/root/api/v1/configmaps?watch=true HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n"
            .formatted(server.getHost(), token(kubeconfig));
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  /** Trusts the server whose kubeconfig this is. */
  static SSLContext trusting(String kubeconfig) throws Exception {
    byte[] authority = Base64.getDecoder().decode(find(AUTHORITY, kubeconfig));
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry(
        "sandbox",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(authority)));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /** The administrator's. */
  static String token(String kubeconfig) {
    return find(TOKEN, kubeconfig);
  }

  private static String find(Pattern field, String kubeconfig) {
    Matcher found = field.matcher(kubeconfig);
    assertThat(found.find()).isTrue();
    return found.group(1);
  }
}
