package dev.mooring.benchmarks.protection;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.ServingCertificate;
import dev.mooring.runtime.time.SystemTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebhookTransportTest {
  private static final int AT_ONCE = 40;
  private static final int KEPT = 25;

  @TempDir private Path directory;
  private final CyclicBarrier together = new CyclicBarrier(AT_ONCE);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private HttpsServer server;
  private WebhookTransport transport;

  @BeforeEach
  void serves() throws Exception {
    ServingCertificate certificate = ServingCertificate.in(directory, SystemTime.clock().instant());
    server =
        HttpsServer.create(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), /* backlog= */ AT_ONCE);
    server.setHttpsConfigurator(new HttpsConfigurator(AllowingWebhook.context(directory)));
    server.setExecutor(threads);
    server.createContext("/echo", WebhookTransportTest::echo);
    server.createContext("/together", this::echoTogether);
    server.start();
    transport = to("/echo", certificate);
  }

  @AfterEach
  void stops() {
    transport.close();
    server.stop(0);
    threads.close();
  }

  @Test
  void sendsOneRequestAfterTheOtherOverOneConnection() throws IOException {
    for (int i = 0; i < 3; i++) {
      byte[] sent = ("review " + i).getBytes(StandardCharsets.UTF_8);
      assertThat(transport.post(sent)).isEqualTo(sent);
    }

    assertThat(transport.opened()).isEqualTo(1);
  }

  @Test
  void opensOneForEveryRequestThatFindsNoneIdleAndKeepsTwentyFive() throws Exception {
    transport.close();
    transport = to("/together", ServingCertificate.in(directory, SystemTime.clock().instant()));

    sendAtOnce();
    assertThat(transport.opened()).isEqualTo(AT_ONCE);

    sendAtOnce();
    assertThat(transport.opened()).isEqualTo(AT_ONCE + AT_ONCE - KEPT);
  }

  private void sendAtOnce() throws Exception {
    var answers = new ArrayList<Future<byte[]>>();
    for (int i = 0; i < AT_ONCE; i++) {
      answers.add(threads.submit(() -> transport.post(new byte[] {'x'})));
    }
    for (Future<byte[]> answer : answers) {
      assertThat(answer.get()).containsExactly('x');
    }
  }

  private WebhookTransport to(String path, ServingCertificate certificate) {
    return new WebhookTransport(
        URI.create("https://127.0.0.1:" + server.getAddress().getPort() + path),
        HttpProbe.contextsTrusting(certificate.authorityPem()),
        /* timeoutSeconds= */ 60);
  }

  private void echoTogether(HttpExchange exchange) throws IOException {
    try {
      together.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IOException(e);
    }
    echo(exchange);
  }

  private static void echo(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }
}
