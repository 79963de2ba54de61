package dev.mooring.sandbox.cel;

import dev.cel.common.CelOptions;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.util.Map;
import java.util.Set;

/**
 * The language as Kubernetes extends it (apiserver {@code pkg/cel/environment/base.go}). Made at
 * first use: it takes about a second, and most servers never need it.
 */
final class KubernetesCel {
  /** In place of Kubernetes' cost budget: stops nested loops over large objects. */
  private static final int ITERATIONS_MAX = 1_000_000;

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .comprehensionMaxIterations(ITERATIONS_MAX)
          .build();

  private KubernetesCel() {}

  static CelCompiler compiler(Set<String> variables) {
    CelCompilerBuilder builder = Base.COMPILER.toCompilerBuilder();
    variables.forEach(variable -> builder.addVar(variable, SimpleType.DYN));
    return builder.build();
  }

  static CelCompiler compiler(Map<String, CelType> variables, CelTypeProvider types) {
    CelCompilerBuilder builder = Base.COMPILER.toCompilerBuilder().setTypeProvider(types);
    variables.forEach(builder::addVar);
    return builder.build();
  }

  private static final class Base {
    private static final CelCompiler COMPILER =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addLibraries(
                CelExtensions.strings(),
                CelExtensions.optional(),
                CelExtensions.bindings(),
                CelExtensions.sets(OPTIONS),
                CelExtensions.math(),
                CelExtensions.lists(),
                CelExtensions.encoders(OPTIONS),
                CelExtensions.comprehensions())
            .addFunctionDeclarations(KubernetesFunctions.declarations())
            .build();
  }

  static CelRuntime runtime() {
    return Runtime.INSTANCE;
  }

  private static final class Runtime {
    private static final CelRuntime INSTANCE =
        CelRuntimeFactory.standardCelRuntimeBuilder()
            .setOptions(OPTIONS)
            .addLibraries(
                CelExtensions.strings(),
                CelExtensions.optional(),
                CelExtensions.sets(OPTIONS),
                CelExtensions.math(),
                CelExtensions.lists(),
                CelExtensions.encoders(OPTIONS),
                CelExtensions.comprehensions())
            .addFunctionBindings(KubernetesFunctions.bindings())
            .build();
  }
}
