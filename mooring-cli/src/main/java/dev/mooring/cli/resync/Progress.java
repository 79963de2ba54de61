package dev.mooring.cli.resync;

import dev.mooring.cli.live.Service;
import dev.mooring.cli.resync.ResyncRow.State;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How far a resync is, by what the service shows.
 *
 * @param waiting what is not done yet, as a number of objects, pieces of work, or seconds; zero
 *     when all is done
 */
record Progress(long waiting, List<ResyncRow> rows) {
  /** What the agent retries by itself counts as failing only if a rule or a server refuses it. */
  private static final Set<String> FAILING = Set.of("failed", "refused");

  Progress {
    rows = List.copyOf(rows);
  }

  /**
   * @param published status of each PublishedResource by its name
   */
  static Progress ofAgent(Map<String, Object> published) {
    return new Progress(
        published.values().stream().mapToLong(status -> count(status, "queued")).sum(),
        published.entrySet().stream()
            .map(entry -> ofPublished(entry.getKey(), entry.getValue()))
            .toList());
  }

  private static ResyncRow ofPublished(String name, Object status) {
    if (Trees.at(status, "sync") == null) {
      return row(
          Service.agent, name, "", State.done, "it syncs no objects; mooring status says why");
    }
    long failed = count(status, "failed");
    return row(
        Service.agent,
        name,
        counted(count(status, "objects"), "object"),
        failed > 0 ? State.failing : stateOf(count(status, "queued")),
        failed > 0 ? failed + " fail, such as " + example(status) : "");
  }

  private static String example(Object status) {
    return Trees.map(status, "sync", "failing").entrySet().stream()
        .filter(entry -> FAILING.contains(Trees.text(entry.getValue(), "outlook")))
        .map(entry -> entry.getKey() + ": " + why(entry.getValue()))
        .findFirst()
        .orElse("one that is not listed");
  }

  private static String why(Object failure) {
    return Trees.text(failure, "reason") + ": " + Trees.text(failure, "message");
  }

  /**
   * @param key of the object, as the agent lists it
   */
  static Progress ofObject(String item, String key, Object status) {
    long queued = count(status, "queued");
    Object failure = Trees.map(status, "sync", "failing").get(key);
    return new Progress(
        queued,
        List.of(
            failure == null
                ? row(Service.agent, item, "1 object", stateOf(queued), "")
                : row(Service.agent, item, "1 object", State.failing, why(failure))));
  }

  static Progress ofController(String item, KubeObject status) {
    String queued =
        counted(status.map("rules").size(), "rule")
            + ", "
            + counted(status.map("providers").size(), "provider");
    if (!Boolean.TRUE.equals(status.at("leader"))) {
      return new Progress(
          0,
          List.of(
              row(
                  Service.controller,
                  item,
                  "",
                  State.refused,
                  "this replica does not lead, and only the leader writes; ask the leader")));
    }
    long waiting = number(status.at("queue", "waiting")) + number(status.at("queue", "running"));
    return new Progress(
        waiting, List.of(row(Service.controller, item, queued, stateOf(waiting), "")));
  }

  /**
   * Of one provider: the queue is that of all.
   *
   * @param status of the whole controller
   */
  static Progress ofProvider(String item, LogicalCluster cluster, KubeObject status) {
    return ofController(
        item,
        status
            .with(only(status.map("rules"), rule -> rule.startsWith(cluster + "|")), "rules")
            .with(only(status.map("providers"), cluster.name()::equals), "providers"));
  }

  private static Map<String, Object> only(Map<String, Object> all, Predicate<String> kept) {
    var some = new LinkedHashMap<>(all);
    some.keySet().removeIf(kept.negate());
    return some;
  }

  /**
   * The webhook relists its rules: that is done once every shard has sent something since.
   *
   * @param elapsed since the request
   */
  static Progress ofWebhook(String item, KubeObject readiness, Duration elapsed) {
    KubeObject rules = KubeObject.of(readiness.map("components", "rules"));
    Object age = rules.at("details", "lastEventAgeSeconds");
    String waitingFor = rules.text("details", "waitingFor");
    boolean known = waitingFor.isEmpty() && age != null;
    long waiting = known ? Math.max(0, number(age) - elapsed.toSeconds()) : 1;
    return new Progress(
        waiting,
        List.of(
            row(
                Service.webhook,
                item,
                counted(number(rules.at("details", "rules")), "rule"),
                stateOf(waiting),
                waitingFor)));
  }

  private static ResyncRow row(
      Service service, String item, String queued, State state, String message) {
    return new ResyncRow(service.title(), item, queued, state, message);
  }

  private static State stateOf(long waiting) {
    return waiting > 0 ? State.pending : State.done;
  }

  private static String counted(long number, String thing) {
    return number + " " + thing + (number == 1 ? "" : "s");
  }

  private static long count(Object status, String field) {
    return number(Trees.at(status, "sync", field));
  }

  private static long number(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }
}
