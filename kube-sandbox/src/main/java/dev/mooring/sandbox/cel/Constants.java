package dev.mooring.sandbox.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.compiler.CelCompiler;
import dev.cel.runtime.CelEvaluationException;
import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.cel.CelExpression.InvalidExpression;
import java.util.Optional;
import java.util.Set;

/**
 * What Go computes when it makes a program: conversions of constants (cel-go {@code
 * interpreter/planner.go}), and searches by constant regular expressions.
 */
final class Constants {
  private static final Set<String> CONVERSIONS =
      Set.of("bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint");
  private static final Set<String> SEARCHES = Set.of("find", "findAll");

  private Constants() {}

  /** Throws {@link InvalidExpression} for a constant that cannot be converted or searched for. */
  static void check(CelAbstractSyntaxTree ast, CelCompiler compiler) {
    CelNavigableAst.fromAst(ast)
        .getRoot()
        .allNodes()
        .filter(node -> node.getKind() == CelExpr.ExprKind.Kind.CALL)
        .flatMap(node -> source(node.expr().call()).stream())
        .forEach(source -> evaluate(source, compiler));
  }

  /** The call as a text, if it is one of a constant. */
  private static Optional<String> source(CelExpr.CelCall call) {
    if (call.args().isEmpty()
        || call.args().getFirst().getKind() != CelExpr.ExprKind.Kind.CONSTANT) {
      return Optional.empty();
    }
    Optional<String> literal = literal(call.args().getFirst().constant());
    if (SEARCHES.contains(call.function())) {
      return literal.map(regex -> "''." + call.function() + "(" + regex + ")");
    }
    return call.target().isEmpty()
            && call.args().size() == 1
            && CONVERSIONS.contains(call.function())
        ? literal.map(value -> call.function() + "(" + value + ")")
        : Optional.empty();
  }

  private static Optional<String> literal(CelConstant constant) {
    return switch (constant.getKind()) {
      case STRING_VALUE -> Optional.of(GoText.json(constant.stringValue()));
      case INT64_VALUE -> Optional.of(String.valueOf(constant.int64Value()));
      case DOUBLE_VALUE -> Optional.of(String.valueOf(constant.doubleValue()));
      case NULL_VALUE -> Optional.of("dyn(null)");
      default -> Optional.empty();
    };
  }

  private static void evaluate(String source, CelCompiler compiler) {
    CelAbstractSyntaxTree call;
    try {
      call = compiler.compile(source).getAst();
    } catch (CelValidationException notAlone) {
      return;
    }
    try {
      KubernetesCel.runtime().createProgram(call).eval();
    } catch (CelEvaluationException e) {
      throw new InvalidExpression("program instantiation failed: " + EvaluationTexts.explain(e));
    }
  }
}
