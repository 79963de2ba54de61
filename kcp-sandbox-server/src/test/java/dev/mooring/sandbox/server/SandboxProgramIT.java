package dev.mooring.sandbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.VirtualMachine;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
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
  private static final Duration SLOW_CLIENT = Duration.ofSeconds(2);

  @Test
  void closesEverythingAtSigterm(@TempDir Path root) throws Exception {
    Process program = start(root);
    try (BufferedReader output = program.inputReader()) {
      URI server = awaitReady(output);
      assertThat(property(program, "jdk.virtualThreadScheduler.parallelism"))
          .as("carriers for a burst of first requests")
          .isEqualTo("64");
      String kubeconfig = Files.readString(root.resolve("admin.kubeconfig"));
      try (SSLSocket watch = connection(kubeconfig, server);
          SSLSocket create = connection(kubeconfig, server)) {
        send(watch, kubeconfig, "GET /clusters/root/api/v1/configmaps?watch=true", "");
        InputStream in = watch.getInputStream();
        assertThat(in.read()).isEqualTo('H');
        String body =
            "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"last\"}}";
        send(
            create,
            kubeconfig,
            "POST /clusters/root/api/v1/namespaces/default/configmaps",
            "Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: "
                + body.length()
                + "\r\n");
        // The request is being answered once its body is asked for.
        assertThat(readTo("\r\n\r\n", create.getInputStream())).startsWith("HTTP/1.1 100");

        // Of the handle, for the process's own would close its output before it is read.
        program.toHandle().destroy();

        // A connection that breaks has no last chunk.
        assertThat(readTo("0\r\n\r\n", in)).startsWith("TTP/1.1 200");
        // A client that is slower than watches end.
        Thread.sleep(SLOW_CLIENT);
        create.getOutputStream().write(body.getBytes(StandardCharsets.US_ASCII));
        assertThat(readTo("\r\n\r\n", create.getInputStream())).startsWith("HTTP/1.1 201");
      }
      assertThat(output.lines()).endsWith("kcp-sandbox has stopped");
      assertThat(program.waitFor(READ_TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(program.exitValue()).as("as kcp's").isZero();
    } finally {
      program.destroyForcibly();
    }
  }

  private static Process start(Path root) throws IOException {
    return new ProcessBuilder(
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
  }

  private static String property(Process program, String name) throws Exception {
    var machine = VirtualMachine.attach(String.valueOf(program.pid()));
    try {
      return machine.getSystemProperties().getProperty(name);
    } finally {
      machine.detach();
    }
  }

  private static URI awaitReady(BufferedReader output) throws IOException {
    Matcher ready = READY.matcher("");
    while (!ready.reset(output.readLine()).matches()) {}
    return URI.create(ready.group(1));
  }

  /** Everything up to, and with, the first occurrence of an ending. */
  private static String readTo(String ending, InputStream in) throws IOException {
    var text = new StringBuilder();
    while (text.indexOf(ending) < 0) {
      int next = in.read();
      assertThat(next).as("end of the connection after: %s", text).isNotEqualTo(-1);
      text.append((char) next);
    }
    return text.toString();
  }

  /** A connection to the server, which speaks HTTP/1.1. */
  private static SSLSocket connection(String kubeconfig, URI server) throws Exception {
    var socket =
        (SSLSocket)
            trusting(kubeconfig)
                .getSocketFactory()
                .createSocket(server.getHost(), server.getPort());
    socket.setSoTimeout((int) READ_TIMEOUT.toMillis());
    return socket;
  }

  /**
   * Sends the head of the administrator's request.
   *
   * @param headers with their line ends
   */
  private static void send(SSLSocket to, String kubeconfig, String request, String headers)
      throws IOException {
    to.getOutputStream()
        .write(
            "%s HTTP/1.1\r\nHost: kcp\r\nAuthorization: Bearer %s\r\n%s\r\n"
                .formatted(request, token(kubeconfig), headers)
                .getBytes(StandardCharsets.US_ASCII));
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
