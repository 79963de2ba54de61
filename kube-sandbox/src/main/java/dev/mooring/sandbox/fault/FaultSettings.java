package dev.mooring.sandbox.fault;

import dev.mooring.languages.GoDuration;
import dev.mooring.model.object.Trees;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which faults requests meet, as a document says.
 *
 * @param users whose requests meet them; empty for all
 * @param slowest as {@link FaultInjector#slowest}
 * @param down shards that are killed; all others run
 * @param faults with their probabilities, 0 never to 1 always
 */
public record FaultSettings(
    long seed, Set<String> users, Duration slowest, Set<String> down, Map<Fault, Double> faults) {
  /** No faults. */
  public static final FaultSettings NONE =
      new FaultSettings(0, Set.of(), FaultInjector.SLOWEST_DEFAULT, Set.of(), Map.of());

  public FaultSettings {
    users = Set.copyOf(users);
    down = Set.copyOf(down);
    faults = Map.copyOf(faults);
    faults.forEach(FaultInjector::requireProbability);
  }

  /**
   * A tree with the names of these fields, {@code slowest} as Go writes durations; what is absent
   * is as in {@link #NONE}. Throws {@link IllegalArgumentException} for anything else, with a
   * message that names the field.
   */
  public static FaultSettings of(@Nullable Object tree) {
    if (!(tree instanceof Map<?, ?>)) {
      throw new IllegalArgumentException(
          "faults have to be an object, such as {\"seed\": 42, \"faults\": {\"CONFLICT\": 0.2}}");
    }
    var fields = new HashMap<>(Trees.mapOrEmpty(tree));
    var settings =
        new FaultSettings(
            number("seed", fields.getOrDefault("seed", 0L)).longValue(),
            names("users", fields.getOrDefault("users", List.of())),
            slowest(fields.get("slowest")),
            names("down", fields.getOrDefault("down", List.of())),
            faults(fields.getOrDefault("faults", Map.of())));
    fields.keySet().removeAll(Set.of("seed", "users", "slowest", "down", "faults"));
    if (!fields.isEmpty()) {
      throw new IllegalArgumentException("there are no fields " + fields.keySet());
    }
    return settings;
  }

  private static Number number(String field, @Nullable Object value) {
    if (value instanceof Number number) {
      return number;
    }
    throw new IllegalArgumentException(field + " has to be a number: " + value);
  }

  private static Set<String> names(String field, @Nullable Object value) {
    if (value instanceof List<?> list && list.stream().allMatch(String.class::isInstance)) {
      return Set.copyOf(Trees.texts(list));
    }
    throw new IllegalArgumentException(field + " has to be a list of names: " + value);
  }

  private static Duration slowest(@Nullable Object value) {
    return value == null
        ? NONE.slowest()
        : GoDuration.parse(Trees.textOrEmpty(value))
            .filter(duration -> !duration.isNegative())
            .orElseThrow(
                () -> new IllegalArgumentException("slowest has to be like 500ms or 2s: " + value));
  }

  private static Map<Fault, Double> faults(@Nullable Object value) {
    if (!(value instanceof Map<?, ?>)) {
      throw new IllegalArgumentException("faults have to be an object: " + value);
    }
    var faults = new EnumMap<Fault, Double>(Fault.class);
    Trees.mapOrEmpty(value)
        .forEach((name, probability) ->
            faults.put(
                Arrays.stream(Fault.values())
                    .filter(fault -> fault.name().equals(name))
                    .findFirst()
                    .orElseThrow(() ->
                        new IllegalArgumentException(
                            "there is no fault %s, only %s"
                                .formatted(name, Arrays.toString(Fault.values())))),
                number("faults." + name, probability).doubleValue()));
    return faults;
  }
}
