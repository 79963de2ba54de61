package dev.mooring.runtime.spring.reload;

import java.lang.reflect.RecordComponent;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * Applies changed properties to what was built from them.
 *
 * @param type a record with {@link ConfigurationProperties}
 * @param apply receives the properties in effect: changed where {@link Live}, as at start
 *     elsewhere. Called when one that is live has changed, by one thread at a time; may block
 */
public record LiveProperties<P extends Record>(Class<P> type, Consumer<P> apply) {
  private static final Pattern HUMP = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");

  /** What the names of its properties begin with. */
  String prefix() {
    return Objects.requireNonNull(type.getAnnotation(ConfigurationProperties.class), type::getName)
        .value();
  }

  /** Full names of the live properties. */
  Set<String> live() {
    var names = new TreeSet<String>();
    collect(type, prefix(), names);
    return names;
  }

  private static void collect(Class<?> type, String prefix, Set<String> names) {
    for (RecordComponent component : type.getRecordComponents()) {
      String name =
          prefix + "." + HUMP.matcher(component.getName()).replaceAll("-").toLowerCase(Locale.ROOT);
      if (component.isAnnotationPresent(Live.class)) {
        names.add(name);
      } else if (component.getType().isRecord()) {
        collect(component.getType(), name, names);
      }
    }
  }
}
