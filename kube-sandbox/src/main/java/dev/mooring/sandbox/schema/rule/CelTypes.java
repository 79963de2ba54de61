package dev.mooring.sandbox.schema.rule;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.types.StructTypeReference;
import dev.mooring.sandbox.cel.CelNames;
import dev.mooring.sandbox.schema.model.Structural;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The types that rules see: what a schema describes, as the language's type checker wants to know
 * it (apiserver {@code pkg/cel/common/schemas.go}). Types of fields are made when a rule selects
 * them. Thread-safe.
 */
final class CelTypes implements CelTypeProvider {
  /** No expression can spell the names of types: {@code self.a} is a field and never a type. */
  private static final String ROOT = "@self";

  private final Map<String, StructType> structs = new ConcurrentHashMap<>();
  private final CelType self;

  /** Whether type and name of the object are visible at the root, described or not. */
  enum Place {
    RESOURCE,
    FIELD
  }

  CelTypes(Structural schema, Place place) {
    self = type(ROOT, schema, place);
  }

  /** The type of {@code self}. */
  CelType self() {
    return self;
  }

  @Override
  public ImmutableCollection<CelType> types() {
    return ImmutableList.copyOf(structs.values());
  }

  @Override
  public Optional<CelType> findType(String name) {
    return Optional.ofNullable(structs.get(name));
  }

  private CelType type(String name, Structural schema, Place place) {
    if (schema.intOrString()) {
      return SimpleType.DYN;
    }
    return switch (schema.type()) {
      case "object" -> object(name, schema, place);
      case "array" ->
          schema.items() == null
              ? SimpleType.DYN
              : ListType.create(type(name + ".@items", schema.items(), placeOf(schema.items())));
      case "string" -> text(schema.assertions().format());
      case "boolean" -> SimpleType.BOOL;
      case "integer" -> SimpleType.INT;
      case "number" -> SimpleType.DOUBLE;
      default -> SimpleType.DYN;
    };
  }

  private CelType object(String name, Structural schema, Place place) {
    if (schema.additional() != null) {
      Structural values = schema.additional();
      return MapType.create(SimpleType.STRING, type(name + ".@values", values, placeOf(values)));
    }
    var fields = new LinkedHashMap<String, Structural>();
    schema.properties().forEach((property, node) -> fields.put(CelNames.escaped(property), node));
    var names = ImmutableSet.<String>builder().addAll(fields.keySet());
    if (place == Place.RESOURCE) {
      names.add("apiVersion", "kind", "metadata");
    }
    structs.put(
        name,
        StructType.create(
            name,
            names.build(),
            field -> Optional.ofNullable(field(name, field, fields.get(field), place))));
    return StructTypeReference.create(name);
  }

  private @Nullable CelType field(
      String name, String field, @Nullable Structural schema, Place place) {
    if (place == Place.RESOURCE) {
      switch (field) {
        case "apiVersion", "kind" -> {
          return SimpleType.STRING;
        }
        case "metadata" -> {
          return metadata();
        }
        default -> {}
      }
    }
    return schema == null ? null : type(name + "." + field, schema, placeOf(schema));
  }

  /** Rules see the name of a resource and nothing else of its metadata. */
  private CelType metadata() {
    String name = "@ObjectMeta";
    structs.computeIfAbsent(
        name,
        absent ->
            StructType.create(
                name,
                ImmutableSet.of("name", "generateName"),
                field -> Optional.of(SimpleType.STRING)));
    return StructTypeReference.create(name);
  }

  private static Place placeOf(Structural schema) {
    return schema.embedded() ? Place.RESOURCE : Place.FIELD;
  }

  private static CelType text(String format) {
    return switch (format) {
      case "byte" -> SimpleType.BYTES;
      case "date", "date-time", "datetime" -> SimpleType.TIMESTAMP;
      case "duration" -> SimpleType.DURATION;
      default -> SimpleType.STRING;
    };
  }
}
