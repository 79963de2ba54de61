package dev.mooring.sandbox.schema.rule;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.mooring.sandbox.schema.model.StructuralReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Types of variables that hold objects of known schemas, for checking expressions before anything
 * is evaluated.
 */
public final class ObjectTypes implements CelTypeProvider {
  private final CelTypeProvider others;
  private final Map<String, CelTypes> objects = new LinkedHashMap<>();

  /**
   * @param others types that are known as well
   */
  public ObjectTypes(CelTypeProvider others) {
    this.others = others;
  }

  /**
   * The type of objects of the schema.
   *
   * @param root a name for them
   * @param schema as OpenAPI has it, with metadata
   */
  public CelType add(String root, Map<String, Object> schema) {
    CelTypes types = CelTypes.ofObject(root, StructuralReader.read(schema));
    objects.put(root, types);
    return types.self();
  }

  @Override
  public ImmutableCollection<CelType> types() {
    List<CelType> all = new ArrayList<>(others.types());
    objects.values().forEach(types -> all.addAll(types.types()));
    return ImmutableList.copyOf(all);
  }

  @Override
  public Optional<CelType> findType(String name) {
    for (CelTypes types : objects.values()) {
      Optional<CelType> found = types.findType(name);
      if (found.isPresent()) {
        return found;
      }
    }
    return others.findType(name);
  }
}
