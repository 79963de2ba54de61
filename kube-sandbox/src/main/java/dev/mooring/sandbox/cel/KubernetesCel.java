package dev.mooring.sandbox.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.extensions.CelStringExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.standard.StringFunction.StringOverload;
import dev.cel.validator.CelValidator;
import dev.cel.validator.CelValidatorFactory;
import dev.cel.validator.validators.HomogeneousLiteralValidator;
import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.cel.library.KubernetesLibraries;
import java.time.Instant;
import java.util.EnumSet;

/**
 * The language as Kubernetes 1.36 extends it (apiserver {@code pkg/cel/environment/base.go}). Made
 * at first use: it takes about a second, and most servers never need it.
 */
final class KubernetesCel {
  private static final CelOptions OPTIONS =
      CelOptions.current().enableHeterogeneousNumericComparisons(true).build();

  /** Version 2 of the library, which cannot reverse strings. */
  private static final CelStringExtensions STRINGS =
      CelExtensions.strings(EnumSet.complementOf(EnumSet.of(CelStringExtensions.Function.REVERSE)));

  private KubernetesCel() {}

  static CelCompiler compiler(CelEnvironment environment) {
    CelCompilerBuilder builder =
        Base.COMPILER.toCompilerBuilder().setTypeProvider(environment.types());
    environment.variables().forEach(builder::addVar);
    return switch (environment.dialect()) {
      case EXPRESSION -> builder.build();
      case PATCH ->
          builder.addFunctionDeclarations(KubernetesLibraries.patchDeclarations()).build();
    };
  }

  private static final class Base {
    private static final CelCompiler COMPILER =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addLibraries(
                STRINGS,
                CelExtensions.optional(),
                CelExtensions.sets(OPTIONS),
                CelExtensions.lists(),
                CelExtensions.comprehensions())
            .addFunctionDeclarations(KubernetesLibraries.declarations())
            .build();
  }

  static CelRuntime runtime() {
    return Runtime.INSTANCE;
  }

  /**
   * Throws {@link CelValidationException} for literals that no evaluation could use, and for lists
   * and maps whose values are of several types.
   */
  static void validate(CelAbstractSyntaxTree ast) throws CelValidationException {
    Validator.INSTANCE.validate(ast).getAst();
  }

  private static final class Validator {
    private static final CelValidator INSTANCE =
        CelValidatorFactory.standardCelValidatorBuilder(Base.COMPILER, Runtime.INSTANCE)
            .addAstValidators(
                new LiteralValidator(), HomogeneousLiteralValidator.newInstance("format"))
            .build();
  }

  private static final class Runtime {
    private static final CelRuntime INSTANCE =
        CelRuntimeFactory.standardCelRuntimeBuilder()
            .setOptions(OPTIONS)
            .addLibraries(
                STRINGS,
                CelExtensions.optional(),
                CelExtensions.sets(OPTIONS),
                CelExtensions.lists(),
                CelExtensions.comprehensions())
            .setStandardEnvironmentEnabled(false)
            .setStandardFunctions(
                CelStandardFunctions.newBuilder()
                    .filterFunctions((_, overload) ->
                        overload != StringOverload.DOUBLE_TO_STRING
                            && overload != StringOverload.TIMESTAMP_TO_STRING)
                    .build())
            .addFunctionBindings(KubernetesLibraries.bindings())
            .addFunctionBindings(
                CelFunctionBinding.from("double_to_string", Double.class, GoText::general),
                CelFunctionBinding.from("timestamp_to_string", Instant.class, GoText::time))
            .build();
  }
}
