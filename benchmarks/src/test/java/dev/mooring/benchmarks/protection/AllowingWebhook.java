package dev.mooring.benchmarks.protection;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.mooring.model.json.KubeJson;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A program with the webhook's command line that lets everything go. */
public final class AllowingWebhook {
  private AllowingWebhook() {}

  public static void main(String[] arguments) throws IOException, GeneralSecurityException {
    Path certificates = Path.of(value(arguments, "--mooring.dependency-webhook.tls-cert-dir="));
    HttpsServer reviews =
        HttpsServer.create(address(value(arguments, "--server.port=")), /* backlog= */ 0);
    reviews.setHttpsConfigurator(new HttpsConfigurator(context(certificates)));
    reviews.createContext("/validate", AllowingWebhook::allow);
    reviews.start();
    HttpServer health =
        HttpServer.create(address(value(arguments, "--management.server.port=")), /* backlog= */ 0);
    health.createContext("/", exchange -> answer(exchange, new byte[0]));
    health.start();
  }

  private static void allow(HttpExchange exchange) throws IOException {
    String uid =
        KubeJson.readObject(exchange.getRequestBody().readAllBytes()).text("request", "uid");
    answer(
        exchange,
        KubeJson.write(
            Map.of(
                "apiVersion",
                "admission.k8s.io/v1",
                "kind",
                "AdmissionReview",
                "response",
                Map.of("uid", uid, "allowed", true))));
  }

  private static void answer(HttpExchange exchange, byte[] body) throws IOException {
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  static SSLContext context(Path directory) throws IOException, GeneralSecurityException {
    String pem = Files.readString(directory.resolve("tls.key"));
    var key =
        KeyFactory.getInstance("EC")
            .generatePrivate(
                new PKCS8EncodedKeySpec(
                    Base64.getMimeDecoder().decode(pem.replaceAll("-----[^-]*-----", ""))));
    Certificate certificate;
    try (var in = Files.newInputStream(directory.resolve("tls.crt"))) {
      certificate = CertificateFactory.getInstance("X.509").generateCertificate(in);
    }
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setKeyEntry("server", key, new char[0], new Certificate[] {certificate});
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return context;
  }

  private static InetSocketAddress address(String port) {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
  }

  private static String value(String[] arguments, String option) {
    return Arrays.stream(arguments)
        .filter(argument -> argument.startsWith(option))
        .findFirst()
        .orElseThrow()
        .substring(option.length());
  }
}
