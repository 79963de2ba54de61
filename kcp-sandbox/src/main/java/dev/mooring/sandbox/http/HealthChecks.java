package dev.mooring.sandbox.http;

import dev.mooring.sandbox.http.exchange.Exchange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** {@code /healthz}, {@code /livez} and {@code /readyz}, open to all users. */
final class HealthChecks {
  private static final Set<String> PATHS = Set.of("healthz", "livez", "readyz");

  private final BooleanSupplier ready;

  HealthChecks(BooleanSupplier ready) {
    this.ready = ready;
  }

  static boolean covers(List<String> segments) {
    return !segments.isEmpty() && PATHS.contains(segments.getFirst());
  }

  void answer(Exchange exchange, List<String> segments) throws IOException {
    String check = segments.getFirst();
    boolean ok = !check.equals("readyz") || ready.getAsBoolean();
    String text = ok ? "ok" : "[-]startup failed: not finished\n" + check + " check failed\n";
    if (ok && exchange.has("verbose")) {
      text = "[+]ping ok\n[+]log ok\n[+]startup ok\n" + check + " check passed\n";
    }
    exchange.answer(
        ok ? 200 : 500, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }
}
