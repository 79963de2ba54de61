package dev.mooring.sandbox.http;

import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.http.exchange.Exchange;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * {@code /healthz}, {@code /livez} and {@code /readyz}, open to all users, and their checks below
 * them, which are not. The server answers only once it has started, so no check fails but that of
 * the store, once a write could not be kept.
 *
 * @param isWritable asked for each answer
 */
public record HealthChecks(BooleanSupplier isWritable) {
  private static final Set<String> PATHS = Set.of("healthz", "livez", "readyz");
  private static final String OF_THE_STORE = "etcd";

  /** Those of kcp that tell something here, in its order. */
  private static final List<String> CHECKS = List.of("ping", OF_THE_STORE);

  /** Whether every user may ask. */
  static boolean areOpen(List<String> segments) {
    return segments.size() == 1 && covers(segments);
  }

  static boolean covers(List<String> segments) {
    return !segments.isEmpty() && PATHS.contains(segments.getFirst());
  }

  /** Throws {@link ApiFailure} 404 for a check that there is not. */
  public void answer(Exchange exchange, List<String> segments) throws IOException {
    String group = segments.getFirst();
    if (exchange.endsWithSlash()) {
      throw ApiFailure.pageNotFound();
    }
    if (segments.size() == 1) {
      answerAll(exchange, group);
      return;
    }
    String check = String.join("/", segments.subList(1, segments.size()));
    if (!CHECKS.contains(check)) {
      throw ApiFailure.pageNotFound();
    }
    if (isFailing(check)) {
      throw ApiFailure.plain(500, "internal server error: objects cannot be kept\n");
    }
    exchange.answerText(200, Map.of(), "ok");
  }

  private boolean isFailing(String check) {
    return check.equals(OF_THE_STORE) && !isWritable.getAsBoolean();
  }

  /** Throws {@link ApiFailure} 500 with all checks, if one of them fails. */
  private void answerAll(Exchange exchange, String group) throws IOException {
    List<String> excluded = exchange.all("exclude");
    var lines = new StringBuilder();
    boolean failed = false;
    for (String check : CHECKS) {
      boolean isExcluded = excluded.contains(check);
      boolean fails = !isExcluded && isFailing(check);
      failed |= fails;
      lines
          .append(fails ? "[-]" : "[+]")
          .append(check)
          .append(isExcluded ? " excluded: ok\n" : fails ? " failed: reason withheld\n" : " ok\n");
    }
    if (failed) {
      throw ApiFailure.plain(500, lines + group + " check failed\n");
    }
    String summary = exchange.has("verbose") ? lines + group + " check passed\n" : "ok";
    exchange.answerText(200, Exchange.NO_SNIFFING, summary);
  }
}
