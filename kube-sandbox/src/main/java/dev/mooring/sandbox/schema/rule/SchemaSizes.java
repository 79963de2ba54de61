package dev.mooring.sandbox.schema.rule;

import dev.mooring.sandbox.cel.CelNames;
import dev.mooring.sandbox.cel.cost.Range;
import dev.mooring.sandbox.cel.cost.Sizes;
import dev.mooring.sandbox.schema.model.Assertions;
import dev.mooring.sandbox.schema.model.Structural;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How large the values of a schema can be: by its limits, and where it has none by what fits into a
 * request (apiserver {@code pkg/cel/common/schemas.go}).
 *
 * @param schema of {@code self}
 */
record SchemaSizes(Structural schema, CelTypes.Place place) implements Sizes {
  /** The largest request, in bytes. */
  static final long REQUEST_MAX = 3L * 1024 * 1024;

  private static final long TEXT_MAX = REQUEST_MAX - 2;
  private static final int TIME_MAX = 32;
  private static final int DATE = 12;

  /** How often the values right below a node can be in an object; negative without a limit. */
  static long below(long cardinality, Structural node) {
    Long limit =
        switch (node.type()) {
          case "array" -> node.assertions().maxItems();
          case "object" ->
              node.additional() == null ? Long.valueOf(1) : node.assertions().maxProperties();
          default -> Long.valueOf(1);
        };
    return cardinality < 0 || limit == null ? -1 : Range.times(cardinality, Math.max(0, limit));
  }

  /** Without a limit, as many as fit into a request. */
  static long max(long cardinality, Structural node) {
    return cardinality < 0 ? REQUEST_MAX / (smallest(node) + 1) : cardinality;
  }

  @Override
  public Optional<Range> of(List<String> path) {
    Structural node = schema;
    CelTypes.Place here = place;
    for (String step : path.subList(1, path.size())) {
      switch (step) {
        case "@items", "@values" -> {
          Structural below = step.equals("@items") ? node.items() : node.additional();
          if (below == null) {
            return Optional.empty();
          }
          node = below;
        }
        case "@keys" -> {
          return node.additional() == null ? Optional.empty() : Optional.of(Range.upTo(0));
        }
        default -> {
          Structural field = field(node, step);
          if (field == null) {
            return ofEveryObject(here, path, step);
          }
          node = field;
        }
      }
      here = node.embedded() ? CelTypes.Place.RESOURCE : CelTypes.Place.FIELD;
    }
    return described(node) ? Optional.of(Range.upTo(elementsMax(node))) : Optional.empty();
  }

  /** Names and types are texts of any length. */
  private static Optional<Range> ofEveryObject(
      CelTypes.Place here, List<String> path, String step) {
    boolean last = path.getLast().equals(step);
    return switch (step) {
      case "apiVersion", "kind" ->
          here == CelTypes.Place.RESOURCE && last
              ? Optional.of(Range.upTo(TEXT_MAX))
              : Optional.empty();
      case "metadata" ->
          here == CelTypes.Place.RESOURCE
              ? Optional.of(Range.upTo(last ? 0 : TEXT_MAX))
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static @Nullable Structural field(Structural node, String escaped) {
    Structural direct = node.properties().get(escaped);
    if (direct != null) {
      return direct;
    }
    for (var property : node.properties().entrySet()) {
      if (CelNames.escaped(property.getKey()).equals(escaped)) {
        return property.getValue();
      }
    }
    return null;
  }

  /** Whether rules see the value at all. */
  private static boolean described(Structural node) {
    return node.intOrString() || !node.type().isEmpty();
  }

  private static long elementsMax(Structural node) {
    Assertions limits = node.assertions();
    if (node.intOrString()) {
      return limits.maxLength() == null ? TEXT_MAX : characters(limits.maxLength());
    }
    return switch (node.type()) {
      case "array" ->
          limits.maxItems() != null
              ? Math.max(0, limits.maxItems())
              : node.items() == null ? 0 : TEXT_MAX / (smallest(node.items()) + 1);
      case "object" ->
          node.additional() == null
              ? 0
              : limits.maxProperties() != null
                  ? Math.max(0, limits.maxProperties())
                  : TEXT_MAX / (smallest(node.additional()) + 6);
      case "string" -> textMax(limits);
      default -> 0;
    };
  }

  private static long textMax(Assertions limits) {
    Long maxLength = limits.maxLength();
    return switch (limits.format()) {
      case "byte" -> maxLength == null ? TEXT_MAX : Math.max(0, maxLength);
      case "duration", "date-time", "datetime" -> TIME_MAX;
      case "date" -> DATE;
      default -> {
        if (maxLength != null) {
          yield characters(maxLength);
        }
        List<Object> values = limits.enumeration();
        yield values == null || values.isEmpty()
            ? TEXT_MAX
            : values.stream()
                .mapToLong(value -> value instanceof String text ? text.length() : 0)
                .max()
                .orElse(0);
      }
    };
  }

  /** A character takes four bytes at most. */
  private static long characters(long maxLength) {
    return Math.max(0, maxLength) * 4;
  }

  /** The bytes that the smallest value takes as JSON. */
  static long smallest(Structural node) {
    if (node.intOrString()) {
      return 1;
    }
    return switch (node.type()) {
      case "object" -> {
        long size = 2;
        if (node.additional() == null) {
          for (String required : node.assertions().required()) {
            Structural property = node.properties().get(required);
            if (property != null && property.defaultValue() == null && described(property)) {
              size += required.length() + smallest(property) + 4;
            }
          }
        }
        yield size;
      }
      case "boolean" -> 4;
      case "number", "integer" -> 1;
      case "string" ->
          switch (node.assertions().format()) {
            case "duration" -> 3;
            case "date" -> DATE;
            case "date-time", "datetime" -> 21;
            default -> 2;
          };
      default -> 2;
    };
  }
}
