package dev.mooring.sandbox.http;

import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.http.exchange.Exchange;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * {@code /healthz}, {@code /livez} and {@code /readyz}, open to all users, and their checks below
 * them, which are not. The server answers only once it has started, so no check fails but those of
 * the store, once a write could not be kept.
 *
 * @param isWritable asked for each answer
 */
public record HealthChecks(BooleanSupplier isWritable) {
  private static final Set<String> PATHS = Set.of("healthz", "livez", "readyz");
  private static final List<String> ALWAYS = List.of("ping", "log", "etcd");
  private static final Set<String> OF_THE_STORE = Set.of("etcd", "etcd-readiness");

  /** In kcp's order, as far as they tell something here. */
  private static final List<String> STARTED =
      List.of(
          "poststarthook/start-apiextensions-controllers",
          "poststarthook/crd-informer-synced",
          "poststarthook/rbac/bootstrap-roles",
          "poststarthook/kcp-start-virtual-workspaces",
          "poststarthook/kcp-bootstrap-policy",
          "poststarthook/kcp-start-informers",
          "poststarthook/kcp-start-controllers");

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
    List<String> checks = checks(group);
    if (exchange.endsWithSlash()) {
      throw ApiFailure.pageNotFound();
    }
    if (segments.size() == 1) {
      answerAll(exchange, group, checks);
      return;
    }
    String check = String.join("/", segments.subList(1, segments.size()));
    if (!checks.contains(check)) {
      throw ApiFailure.pageNotFound();
    }
    if (isFailing(check)) {
      throw ApiFailure.plain(500, "internal server error: objects cannot be kept\n");
    }
    exchange.answerText(200, Map.of(), "ok");
  }

  private boolean isFailing(String check) {
    return OF_THE_STORE.contains(check) && !isWritable.getAsBoolean();
  }

  private static List<String> checks(String group) {
    var checks = new ArrayList<>(ALWAYS);
    if (group.equals("readyz")) {
      checks.addAll(List.of("etcd-readiness", "informer-sync"));
    }
    checks.addAll(STARTED);
    if (group.equals("readyz")) {
      checks.add("shutdown");
    }
    return checks;
  }

  /** Throws {@link ApiFailure} 500 with all checks, if one of them fails. */
  private void answerAll(Exchange exchange, String group, List<String> checks) throws IOException {
    var excluded = new LinkedHashSet<>(exchange.all("exclude"));
    var lines = new StringBuilder();
    boolean failed = false;
    for (String check : checks) {
      boolean isExcluded = excluded.remove(check);
      boolean fails = !isExcluded && isFailing(check);
      failed |= fails;
      lines
          .append(fails ? "[-]" : "[+]")
          .append(check)
          .append(isExcluded ? " excluded: ok\n" : fails ? " failed: reason withheld\n" : " ok\n");
    }
    if (!excluded.isEmpty()) {
      lines
          .append("warn: some health checks cannot be excluded: no matches for ")
          .append(
              new TreeSet<>(excluded)
                  .stream().map(name -> '"' + name + '"').collect(Collectors.joining(", ")))
          .append('\n');
    }
    if (failed) {
      throw ApiFailure.plain(500, lines + group + " check failed\n");
    }
    String summary = exchange.has("verbose") ? lines + group + " check passed\n" : "ok";
    exchange.answerText(200, Exchange.NO_SNIFFING, summary);
  }
}
