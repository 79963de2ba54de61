package dev.mooring.sandbox.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.StructType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Structs by name, each with the types of its fields. */
public record StructTypes(Map<String, Map<String, CelType>> structs) implements CelTypeProvider {
  public StructTypes {
    structs = Map.copyOf(structs);
  }

  /** These structs and one more. */
  public StructTypes with(String name, Map<String, CelType> fields) {
    var more = new HashMap<>(structs);
    more.put(name, Map.copyOf(fields));
    return new StructTypes(more);
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
