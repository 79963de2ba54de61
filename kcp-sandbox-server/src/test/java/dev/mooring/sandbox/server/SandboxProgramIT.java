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
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program in a process of its own. */
class SandboxProgramIT {
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(60);
  private static final Pattern READY = Pattern.compile("kcp-sandbox is ready at (\\S+),.*");
  private static final Pattern AUTHORITY = Pattern.compile("certificate-authority-data: (\\S+)");
  private static final Pattern TOKEN =
      Pattern.compile("name: (?:kcp|kubernetes)-admin\\s+user:\\s+token: (\\S+)");
  private static final Pattern LENGTH = Pattern.compile("(?i)content-length: ([0-9]+)");
  private static final Duration SLOW_CLIENT = Duration.ofSeconds(2);
  private static final String CONFIG_MAPS = "/clusters/root/api/v1/namespaces/default/configmaps";

  /** A list of them has 6 MB, and the clients' lists twice what the heap has. */
  private static final int OBJECTS = 60;

  private static final int OBJECT_BYTES = 100_000;
  private static final int CLIENTS = 20;

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

  @Tag("full")
  @Test
  void listsForManyClientsAtOnceNeedNoCopies(@TempDir Path root) throws Exception {
    Process program = start(root, "-Xmx64m", "-XX:+ExitOnOutOfMemoryError");
    var lists = new ArrayList<SSLSocket>();
    try (BufferedReader output = program.inputReader()) {
      URI server = awaitReady(output);
      String kubeconfig = Files.readString(root.resolve("admin.kubeconfig"));
      for (int i = 0; i < OBJECTS; i++) {
        create(server, kubeconfig, i);
      }
      // Every client has sent its request before any of them reads on.
      for (int i = 0; i < CLIENTS; i++) {
        SSLSocket list = connection(kubeconfig, server);
        lists.add(list);
        send(list, kubeconfig, "GET " + CONFIG_MAPS, "");
        assertThat(list.getInputStream().read()).isEqualTo('H');
      }
      for (SSLSocket list : lists) {
        InputStream in = list.getInputStream();
        String head = readTo("\r\n\r\n", in);
        assertThat(head).startsWith("TTP/1.1 200");
        int length = Integer.parseInt(find(LENGTH, head));
        assertThat(length).isGreaterThan(OBJECTS * OBJECT_BYTES);
        assertThat(in.readNBytes(length)).hasSize(length);
      }
    } finally {
      for (SSLSocket list : lists) {
        list.close();
      }
      program.destroyForcibly();
    }
  }

  private static void create(URI server, String kubeconfig, int number) throws Exception {
    String body =
        "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"object-%d\"},\"data\":{\"text\":\"%s\"}}"
            .formatted(number, "x".repeat(OBJECT_BYTES));
    try (SSLSocket to = connection(kubeconfig, server)) {
      send(
          to,
          kubeconfig,
          "POST " + CONFIG_MAPS,
          "Content-Type: application/json\r\nContent-Length: " + body.length() + "\r\n");
      to.getOutputStream().write(body.getBytes(StandardCharsets.US_ASCII));
      assertThat(readTo("\r\n\r\n", to.getInputStream())).startsWith("HTTP/1.1 201");
    }
  }

  private static Process start(Path root, String... options) throws IOException {
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(options));
    command.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            SandboxProgram.class.getName(),
            "start",
            "--root-directory",
            root.toString(),
            "--secure-port",
            "0"));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
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
