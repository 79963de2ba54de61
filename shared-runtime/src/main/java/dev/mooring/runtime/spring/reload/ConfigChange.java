package dev.mooring.runtime.spring.reload;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;

/**
 * Names of what differs between two configurations.
 *
 * @param live properties that take effect now
 * @param restart properties that take effect after a restart
 * @param levels loggers with another level
 */
record ConfigChange(
    Set<ConfigurationPropertyName> live, SortedSet<String> restart, SortedSet<String> levels) {
  private static final ConfigurationPropertyName MOORING = ConfigurationPropertyName.of("mooring");

  /**
   * @param live of this service
   * @param prefixes of this service's own properties; others below {@code mooring} are another
   *     service's
   */
  static ConfigChange between(
      ConfigValues before,
      ConfigValues after,
      Collection<ConfigurationPropertyName> live,
      Collection<ConfigurationPropertyName> prefixes) {
    Predicate<ConfigurationPropertyName> isLive =
        name -> live.stream().anyMatch(known -> known.equals(name) || known.isAncestorOf(name));
    Predicate<ConfigurationPropertyName> isOurs =
        name ->
            !MOORING.isAncestorOf(name)
                || prefixes.stream().anyMatch(prefix -> prefix.isAncestorOf(name));
    Set<ConfigurationPropertyName> changed =
        changed(before.properties(), after.properties()).stream()
            .filter(isOurs)
            .collect(Collectors.toSet());
    return new ConfigChange(
        changed.stream().filter(isLive).collect(Collectors.toUnmodifiableSet()),
        changed.stream()
            .filter(isLive.negate())
            .map(ConfigurationPropertyName::toString)
            .collect(Collectors.toCollection(TreeSet::new)),
        new TreeSet<>(changed(before.levels(), after.levels())));
  }

  private static <K> Set<K> changed(Map<K, String> before, Map<K, String> after) {
    var names = new HashSet<>(before.keySet());
    names.addAll(after.keySet());
    names.removeIf(name -> Objects.equals(before.get(name), after.get(name)));
    return names;
  }
}
