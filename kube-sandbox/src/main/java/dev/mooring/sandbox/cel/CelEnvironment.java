package dev.mooring.sandbox.cel;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.compiler.CelCompiler;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What an expression may use. Equal environments share a compiler.
 *
 * @param variables their types by name
 * @param types the structs that the variables' types refer to
 */
public record CelEnvironment(
    Map<String, CelType> variables, CelTypeProvider types, Dialect dialect) {
  /** Making a compiler takes milliseconds; most policies share a few. */
  private static final LoadingCache<CelEnvironment, CelCompiler> COMPILERS =
      CacheBuilder.newBuilder().maximumSize(500).build(CacheLoader.from(KubernetesCel::compiler));

  /** Which language an expression is written in. */
  public enum Dialect {
    EXPRESSION,
    /** With {@code Object{}} and {@code JSONPatch{}} and the functions for patches. */
    PATCH
  }

  public CelEnvironment {
    variables = Map.copyOf(variables);
  }

  public CelEnvironment(Map<String, CelType> variables, CelTypeProvider types) {
    this(variables, types, Dialect.EXPRESSION);
  }

  public CelEnvironment with(String variable, CelType type) {
    var more = new LinkedHashMap<>(variables);
    more.put(variable, type);
    return new CelEnvironment(more, types, dialect);
  }

  public CelEnvironment with(CelTypeProvider other) {
    return new CelEnvironment(variables, other, dialect);
  }

  public CelEnvironment in(Dialect other) {
    return new CelEnvironment(variables, types, other);
  }

  /** Of schemas there are many, and each compiles its rules once. */
  CelCompiler compiler() {
    return types instanceof StructTypes
        ? COMPILERS.getUnchecked(this)
        : KubernetesCel.compiler(this);
  }
}
