package dev.mooring.sandbox.http;

import dev.mooring.sandbox.http.exchange.Exchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;

/**
 * {@code /healthz}, {@code /livez} and {@code /readyz}, open to all users. The server answers only
 * once it has started, so all checks pass.
 */
final class HealthChecks {
  private static final Set<String> PATHS = Set.of("healthz", "livez", "readyz");

  private HealthChecks() {}

  static boolean covers(List<String> segments) {
    return !segments.isEmpty() && PATHS.contains(segments.getFirst());
  }

  static void answer(Exchange exchange, List<String> segments) throws IOException {
    String text =
        exchange.has("verbose")
            ? "[+]ping ok\n[+]log ok\n[+]startup ok\n" + segments.getFirst() + " check passed\n"
            : "ok";
    exchange.answer(200, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }
}
