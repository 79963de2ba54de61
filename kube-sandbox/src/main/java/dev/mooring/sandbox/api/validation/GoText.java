package dev.mooring.sandbox.api.validation;

import dev.mooring.languages.GoNumbers;
import dev.mooring.languages.template.text.GoQuotes;
import dev.mooring.model.json.KubeJson;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Values as Go's {@code %v} and {@code %q} print them, which messages contain. */
public final class GoText {
  private static final double SMALLEST_PLAIN = 1e-4;
  private static final double LARGEST_PLAIN = 1e21;
  private static final double LARGEST_GENERAL = 1e6;

  private GoText() {}

  /** As {@code json.Marshal} of a tree: keys sorted, and nothing that HTML could misread. */
  public static String json(@Nullable Object tree) {
    return KubeJson.writeText(sorted(tree))
        .replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026")
        .replace("\u2028", "\\u2028")
        .replace("\u2029", "\\u2029");
  }

  /** Several errors as one, at least one (apimachinery {@code util/errors.NewAggregate}). */
  public static String aggregate(List<String> errors) {
    List<String> once = errors.stream().distinct().toList();
    return once.size() == 1 ? once.getFirst() : "[" + String.join(", ", once) + "]";
  }

  /** What Go's JSON decoder calls a value that it cannot use. */
  public static String jsonKind(@Nullable Object tree) {
    return switch (tree) {
      case null -> "null";
      case Map<?, ?> _ -> "object";
      case List<?> _ -> "array";
      case String _ -> "string";
      case Boolean _ -> "bool";
      default -> "number";
    };
  }

  /** The tree with the keys of its maps in the order in which Go writes them. */
  public static @Nullable Object sorted(@Nullable Object tree) {
    return switch (tree) {
      case Map<?, ?> map -> {
        var sorted = new TreeMap<String, Object>();
        map.forEach((key, value) -> sorted.put((String) key, sorted(value)));
        yield sorted;
      }
      case List<?> list ->
          list.stream()
              .map(GoText::sorted)
              .collect(ArrayList::new, ArrayList::add, ArrayList::addAll);
      case null, default -> tree;
    };
  }

  /** As {@code %v} of a float64: no fraction for whole numbers, an exponent for extreme ones. */
  public static String number(double value) {
    return value == 0 ? "0" : shortest(value, LARGEST_PLAIN);
  }

  /** As {@code %g} of a float64. */
  public static String general(double value) {
    return value == 0 || !Double.isFinite(value)
        ? GoNumbers.plain(value)
        : shortest(value, LARGEST_GENERAL);
  }

  /** As Go prints a time in UTC. */
  public static String time(Instant time) {
    return time.toString().replaceFirst("(\\.\\d*?)0+Z$", "$1Z");
  }

  private static String shortest(double value, double plainBelow) {
    BigDecimal decimal = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    double magnitude = Math.abs(value);
    return magnitude >= SMALLEST_PLAIN && magnitude < plainBelow
        ? decimal.toPlainString()
        : GoNumbers.scientific(decimal);
  }

  /** As {@code %q} of a list of strings. */
  public static String quoted(List<String> texts) {
    return texts.stream().map(GoQuotes::quote).collect(Collectors.joining(" ", "[", "]"));
  }
}
