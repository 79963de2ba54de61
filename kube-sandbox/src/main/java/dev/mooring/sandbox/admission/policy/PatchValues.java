package dev.mooring.sandbox.admission.policy;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.mooring.languages.GoDuration;
import dev.mooring.languages.GoNumbers;
import dev.mooring.sandbox.cel.PatchObjects;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What expressions that make patches evaluate to, as trees. */
final class PatchValues {
  private PatchValues() {}

  /**
   * Throws {@link MutationFailure} where the name of a struct is not the path to its field, or the
   * value is none of JSON's.
   *
   * @param value as a CEL value, structs as {@link PatchObjects} makes them
   */
  static @Nullable Object tree(Object value) {
    return tree(value, value instanceof Map<?, ?> map ? map.get(PatchObjects.TYPE) : null);
  }

  /**
   * @param type the name that a struct must have here; null within a map
   */
  private static @Nullable Object tree(Object value, @Nullable Object type) {
    return switch (value) {
      case NullValue _ -> null;
      case UnsignedLong number -> number.longValue();
      case Double number -> GoNumbers.normal(number);
      case Duration duration -> GoDuration.seconds(duration);
      case Instant instant -> instant.toString();
      case CelByteString bytes -> Base64.getEncoder().encodeToString(bytes.toByteArray());
      case List<?> list -> {
        var items = new ArrayList<@Nullable Object>();
        list.forEach(item -> items.add(tree(item, type)));
        yield items;
      }
      case Map<?, ?> map -> {
        Object name = map.get(PatchObjects.TYPE);
        if (name != null && type != null && !name.equals(type)) {
          throw new MutationFailure(
              ("type mismatch: unexpected type name \"%s\", expected \"%s\", which matches field"
                      + " name path from root Object type")
                  .formatted(name, type));
        }
        var fields = new LinkedHashMap<String, @Nullable Object>();
        map.forEach((key, below) -> {
          if (!key.equals(PatchObjects.TYPE)) {
            fields.put((String) key, tree(below, name == null ? null : name + "." + key));
          }
        });
        yield fields;
      }
      case String _, Long _, Boolean _ -> value;
      default ->
          throw new MutationFailure(
              "JSONPath valueExpression evaluated to a type that could not marshal to JSON");
    };
  }
}
