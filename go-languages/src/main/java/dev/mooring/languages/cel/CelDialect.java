package dev.mooring.languages.cel;

import dev.cel.common.CelOptions;
import dev.cel.common.types.SimpleType;
import dev.cel.common.values.CelByteString;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.standard.AddOperator.AddOverload;
import dev.mooring.languages.ExpressionFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The standard language with bounds. Concatenation is our own, since nested macros could otherwise
 * double a text until memory runs out. Made at first use: it takes a while, and most resources
 * never need it.
 */
final class CelDialect {
  /** Over all macros of one evaluation. */
  static final int ITERATIONS_MAX = 100_000;

  /** Characters, bytes or items of one concatenation; an object could not hold more. */
  static final int CONCATENATION_MAX = 2 * 1024 * 1024;

  private static final int RECURSION_MAX = 64;

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .enableHeterogeneousNumericComparisons(true)
          .comprehensionMaxIterations(ITERATIONS_MAX)
          .maxExpressionCodePointSize(CelExpression.LENGTH_MAX)
          .maxParseRecursionDepth(RECURSION_MAX)
          .build();

  private CelDialect() {}

  static CelCompiler compiler(Set<String> variables) {
    CelCompilerBuilder builder = Compiler.BASE.toCompilerBuilder();
    variables.forEach(variable -> builder.addVar(variable, SimpleType.DYN));
    return builder.build();
  }

  static CelRuntime runtime() {
    return Runtime.INSTANCE;
  }

  private static final class Compiler {
    private static final CelCompiler BASE =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .build();
  }

  private static final class Runtime {
    private static final CelRuntime INSTANCE =
        CelRuntimeFactory.standardCelRuntimeBuilder()
            .setOptions(OPTIONS)
            .setStandardEnvironmentEnabled(false)
            .setStandardFunctions(
                CelStandardFunctions.newBuilder()
                    .filterFunctions((function, overload) ->
                        overload != AddOverload.ADD_STRING
                            && overload != AddOverload.ADD_BYTES
                            && overload != AddOverload.ADD_LIST)
                    .build())
            .addFunctionBindings(
                CelFunctionBinding.from(
                    "add_string", String.class, String.class, CelDialect::addTexts),
                CelFunctionBinding.from(
                    "add_bytes", CelByteString.class, CelByteString.class, CelDialect::addBytes),
                CelFunctionBinding.from("add_list", List.class, List.class, CelDialect::addLists))
            .build();
  }

  private static Object addTexts(String left, String right) {
    check((long) left.length() + right.length());
    return left.concat(right);
  }

  private static Object addBytes(CelByteString left, CelByteString right) {
    check((long) left.size() + right.size());
    return left.concat(right);
  }

  private static Object addLists(List<?> left, List<?> right) {
    check((long) left.size() + right.size());
    var all = new ArrayList<Object>(left.size() + right.size());
    all.addAll(left);
    all.addAll(right);
    return all;
  }

  private static void check(long size) {
    if (size > CONCATENATION_MAX) {
      throw new ExpressionFailure("a value gets larger than " + CONCATENATION_MAX);
    }
  }
}
