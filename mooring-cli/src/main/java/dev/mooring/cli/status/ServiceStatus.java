package dev.mooring.cli.status;

import dev.mooring.cli.live.Management;
import dev.mooring.cli.live.Management.Answer;
import dev.mooring.cli.live.Service;
import dev.mooring.cli.status.ObjectStatus.State;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a service says of itself, at endpoints that ask for no token. */
final class ServiceStatus {
  /** Problems that one line names; the endpoint has all of them. */
  private static final int NAMED_MAX = 3;

  /** Details of a component of readiness that say in words what is not as it should be. */
  private static final Set<String> WORDS =
      Set.of("waitingFor", "reasons", "missing", "failingResources", "warning", "error");

  private ServiceStatus() {}

  static ObjectStatus read(Management service) {
    Answer readiness = service.get("health/readiness");
    return readiness instanceof Answer.Silent
        ? row(service.service(), readiness, KubeObject.of(Map.of()), OptionalDouble.empty())
        : row(
            service.service(),
            readiness,
            service.get("info") instanceof Answer.Answered(_, var info)
                ? info
                : KubeObject.of(Map.of()),
            service.metric("process_start_time_seconds"));
  }

  /**
   * @param started in seconds since the epoch
   */
  static ObjectStatus row(
      Service service, Answer readiness, KubeObject info, OptionalDouble started) {
    String since =
        started.isPresent() ? Instant.ofEpochSecond((long) started.getAsDouble()).toString() : "";
    String version = info.text("build", "version");
    return switch (readiness) {
      case Answer.Silent(var why) ->
          ObjectStatus.unknown(
              service.title(),
              "Unreachable",
              why + "; start it, forward its port, or correct " + service.option());
      case Answer.Answered(var status, var health) when health.text("status").isEmpty() ->
          new ObjectStatus(
              service.title(),
              State.unknown,
              since,
              version,
              "",
              "NoHealth",
              "HTTP %d and no health at that URL; correct %s".formatted(status, service.option()));
      case Answer.Answered(_, var health) -> {
        List<Component> components = components(health);
        String failing =
            components.stream()
                .filter(component -> !component.isUp())
                .map(Component::name)
                .collect(Collectors.joining(","));
        boolean ready = health.text("status").equals("UP");
        yield new ObjectStatus(
            service.title(),
            ready ? State.ready : State.failing,
            since,
            version,
            ready ? "" : "readiness",
            failing,
            message(components));
      }
    };
  }

  /** Of the readiness group. */
  private record Component(String name, Object health) {
    boolean isUp() {
      return Trees.text(health, "status").equals("UP");
    }

    /** What is wrong; a component that is up may warn. */
    List<String> problems() {
      List<String> words = words(Trees.at(health, "details")).toList();
      if (!words.isEmpty() || isUp()) {
        return words;
      }
      return List.of(Trees.text(health, "status"));
    }
  }

  private static List<Component> components(KubeObject health) {
    return health.map("components").entrySet().stream()
        .map(entry -> new Component(entry.getKey(), entry.getValue()))
        .toList();
  }

  /** Those of components that are not up first. */
  private static String message(List<Component> components) {
    List<String> problems =
        components.stream()
            .sorted(Comparator.comparing(Component::isUp))
            .flatMap(component ->
                component.problems().stream().map(words -> component.name() + ": " + words))
            .toList();
    return problems.size() <= NAMED_MAX
        ? String.join("; ", problems)
        : String.join("; ", problems.subList(0, NAMED_MAX))
            + "; and "
            + (problems.size() - NAMED_MAX)
            + " more";
  }

  private static Stream<String> words(@Nullable Object details) {
    return Trees.mapOrEmpty(details).entrySet().stream()
        .flatMap(entry ->
            WORDS.contains(entry.getKey())
                ? texts(entry.getValue())
                : words(entry.getValue()).map(words -> entry.getKey() + " " + words));
  }

  private static Stream<String> texts(Object value) {
    return switch (value) {
      case List<?> list -> list.stream().map(String::valueOf);
      case Map<?, ?> map ->
          map.entrySet().stream().map(entry -> entry.getKey() + " " + entry.getValue());
      default -> Stream.of(String.valueOf(value));
    };
  }
}
