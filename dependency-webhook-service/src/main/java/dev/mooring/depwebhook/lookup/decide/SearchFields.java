package dev.mooring.depwebhook.lookup.decide;

import dev.mooring.languages.FieldStep;
import dev.mooring.model.dependency.FieldPath;
import dev.mooring.model.dependency.ReferenceField;
import dev.mooring.model.dependency.ReferenceReader;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.object.FieldMask;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The fields that readers need, and field selectors for their references. */
final class SearchFields {
  /** More selected lists cost more than one whole list. */
  static final int SELECTORS_MAX = 4;

  /** Selectable in a schema: plain fields, no items, no quoted keys. */
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  private static final List<List<String>> ALWAYS =
      List.of(
          List.of("metadata", "name"),
          List.of("metadata", "namespace"),
          List.of("metadata", "uid"),
          List.of("metadata", "resourceVersion"),
          List.of("metadata", "deletionTimestamp"),
          List.of("metadata", "annotations", "kcp.io/cluster"));

  private SearchFields() {}

  static FieldMask mask(List<ReferenceReader> readers) {
    var paths = new ArrayList<>(ALWAYS);
    for (ReferenceReader reader : readers) {
      if (reader.when().isPresent()) {
        return FieldMask.ALL;
      }
      switch (reader.field()) {
        case ReferenceField.AtPath(var path, var namespace, var match) -> {
          List<String> fields = fields(path);
          paths.add(fields);
          match.keySet().forEach(key -> paths.add(sibling(fields, key)));
          namespace.ifPresent(p -> paths.add(fields(p)));
        }
        case ReferenceField.Computed(_) -> {
          return FieldMask.ALL;
        }
        case ReferenceField.Unreadable(_, _) -> {}
      }
    }
    return FieldMask.of(paths);
  }

  static Optional<List<String>> selectors(List<ReferenceReader> readers, Target target) {
    var selectors = new LinkedHashSet<String>();
    for (ReferenceReader reader : readers) {
      if (!(reader.field() instanceof ReferenceField.AtPath(var path, _, _)) || !plain(path)) {
        return Optional.empty();
      }
      selectors.add(String.join(".", fields(path)) + "=" + escaped(target.key().name()));
    }
    return selectors.size() > SELECTORS_MAX
        ? Optional.empty()
        : Optional.of(List.copyOf(selectors));
  }

  private static boolean plain(FieldPath path) {
    return path.steps().stream()
        .allMatch(
            step -> step instanceof FieldStep.Field(var name) && PLAIN.matcher(name).matches());
  }

  /** A field mask passes through lists by itself. */
  private static List<String> fields(FieldPath path) {
    return path.steps().stream()
        .filter(FieldStep.Field.class::isInstance)
        .map(step -> ((FieldStep.Field) step).name())
        .collect(Collectors.toUnmodifiableList());
  }

  private static List<String> sibling(List<String> fields, String key) {
    var path = new ArrayList<>(fields.subList(0, fields.size() - 1));
    path.add(key);
    return List.copyOf(path);
  }

  /** As apimachinery's {@code fields.EscapeValue}. */
  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace(",", "\\,").replace("=", "\\=");
  }
}
