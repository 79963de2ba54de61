package dev.mooring.sandbox.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Structs by name, each with the types of its fields. */
public record StructTypes(Map<String, Map<String, CelType>> structs) implements CelTypeProvider {
  /** The fields of a user in requests and of authentication. */
  public static final Map<String, CelType> USER_INFO =
      Map.of(
          "username",
          SimpleType.STRING,
          "uid",
          SimpleType.STRING,
          "groups",
          ListType.create(SimpleType.STRING),
          "extra",
          MapType.create(SimpleType.STRING, ListType.create(SimpleType.STRING)));

  public StructTypes {
    structs = Map.copyOf(structs);
  }

  /** These structs and one more. */
  public StructTypes with(String name, Map<String, CelType> fields) {
    var more = new HashMap<>(structs);
    more.put(name, Map.copyOf(fields));
    return new StructTypes(more);
  }

  /** These types and others, which may come to know more. */
  public CelTypeProvider and(CelTypeProvider others) {
    return new CelTypeProvider() {
      @Override
      public ImmutableCollection<CelType> types() {
        return ImmutableList.<CelType>builder()
            .addAll(StructTypes.this.types())
            .addAll(others.types())
            .build();
      }

      @Override
      public Optional<CelType> findType(String name) {
        return StructTypes.this.findType(name).or(() -> others.findType(name));
      }
    };
  }

  @Override
  public ImmutableCollection<CelType> types() {
    return structs.keySet().stream()
        .flatMap(name -> findType(name).stream())
        .collect(ImmutableList.toImmutableList());
  }

  @Override
  public Optional<CelType> findType(String name) {
    return Optional.ofNullable(structs.get(name))
        .map(fields ->
            StructType.create(
                name,
                ImmutableSet.copyOf(fields.keySet()),
                field -> Optional.ofNullable(fields.get(field))));
  }
}
