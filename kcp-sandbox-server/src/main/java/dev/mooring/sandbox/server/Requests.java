package dev.mooring.sandbox.server;

import dev.mooring.sandbox.security.certificate.KubeconfigContext;
import dev.mooring.sandbox.security.certificate.TrustedAuthorities;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Requests by the user of a kubeconfig, to its server or another one with a certificate of the same
 * authority. In a text each of them is a line with method and URL, then its body, up to a line of
 * three dashes; {@code $i} is the number of the repetition.
 */
record Requests(HttpClient client, URI server, String token) {
  private static final int ATTEMPTS = 3000;
  private static final int PAUSE_MILLIS = 10;

  static Requests by(Path kubeconfig) throws IOException {
    KubeconfigContext context = KubeconfigContext.read(kubeconfig);
    String authority = context.certificateAuthority().orElseThrow();
    return new Requests(
        HttpClient.newBuilder().sslContext(TrustedAuthorities.context(authority)).build(),
        context.server(),
        context.token().orElseThrow());
  }

  /**
   * @param arguments a kubeconfig, a file of requests, and how many times to send them
   */
  public static void main(String[] arguments) throws Exception {
    by(Path.of(arguments[0]))
        .sendAll(Files.readString(Path.of(arguments[1])), Integer.parseInt(arguments[2]));
  }

  /** Sends them one after the other, each until it is accepted. */
  void sendAll(String texts, int times) throws IOException, InterruptedException {
    for (int i = 0; i < times; i++) {
      for (String text : texts.replace("$i", String.valueOf(i)).split("(?m)^---\n")) {
        HttpRequest request = request(text);
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
        for (int attempt = 1; answer.statusCode() / 100 != 2; attempt++) {
          if (attempt == ATTEMPTS) {
            throw new IllegalStateException(request + ": " + answer.body());
          }
          Thread.sleep(PAUSE_MILLIS);
          answer = client.send(request, BodyHandlers.ofString());
        }
      }
    }
  }

  private HttpRequest request(String text) {
    int line = text.indexOf('\n');
    String[] begin = text.substring(0, line).split(" ");
    String body = text.substring(line + 1);
    String json = begin[0].equals("PATCH") ? "application/merge-patch+json" : "application/json";
    return HttpRequest.newBuilder(server.resolve(begin[1]))
        .header("Authorization", "Bearer " + token)
        .header("Content-Type", body.startsWith("{") ? json : "application/yaml")
        .method(begin[0], BodyPublishers.ofString(body))
        .build();
  }
}
