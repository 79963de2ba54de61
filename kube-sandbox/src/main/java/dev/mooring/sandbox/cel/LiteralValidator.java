package dev.mooring.sandbox.cel;

import dev.cel.bundle.Cel;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.ListType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.validator.CelAstValidator;
import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.cel.library.KubernetesLibraries;
import java.util.Optional;
import java.util.Set;

/**
 * What the type checker lets pass and no evaluation could use: constants that cannot be converted,
 * constant regular expressions that are none, and functions of lists of other elements.
 */
final class LiteralValidator implements CelAstValidator {
  private static final Set<String> CONVERSIONS =
      Set.of("bool", "bytes", "double", "duration", "int", "string", "timestamp", "uint");
  private static final Set<String> SEARCHES = Set.of("find", "findAll", "matches");

  @Override
  public void validate(CelNavigableAst ast, Cel cel, IssuesFactory issues) {
    ast.getRoot()
        .allNodes()
        .filter(node -> node.getKind() == CelExpr.ExprKind.Kind.CALL)
        .forEach(node -> {
          CelExpr.CelCall call = node.expr().call();
          unfitList(ast.getAst(), call)
              .or(() -> constantCall(call).flatMap(source -> failure(source, cel)))
              .ifPresent(problem -> issues.addError(node.id(), problem));
        });
  }

  /** A function of lists that is not there for such elements. */
  private static Optional<String> unfitList(CelAbstractSyntaxTree ast, CelExpr.CelCall call) {
    return call.target()
        .flatMap(target -> ast.getType(target.id()))
        .filter(type ->
            type instanceof ListType list
                && list.hasElemType()
                && !KubernetesLibraries.accepts(call.function(), list.elemType()))
        .map(type ->
            "found no matching overload for '%s' applied to '%s.()'"
                .formatted(call.function(), CelTypes.format(type)));
  }

  /** The text of a conversion of a constant, or of a search by a constant regular expression. */
  private static Optional<String> constantCall(CelExpr.CelCall call) {
    boolean search = SEARCHES.contains(call.function()) && !call.args().isEmpty();
    boolean conversion =
        CONVERSIONS.contains(call.function()) && call.target().isEmpty() && call.args().size() == 1;
    if (!search && !conversion) {
      return Optional.empty();
    }
    CelExpr argument = call.target().isEmpty() ? call.args().getLast() : call.args().getFirst();
    return isConstant(argument)
        ? literal(argument.constant())
            .map(text -> (search ? "''." : "") + call.function() + "(" + text + ")")
        : Optional.empty();
  }

  private static boolean isConstant(CelExpr expression) {
    return expression.getKind() == CelExpr.ExprKind.Kind.CONSTANT;
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

  private static Optional<String> failure(String source, Cel cel) {
    try {
      cel.createProgram(cel.compile(source).getAst()).eval();
      return Optional.empty();
    } catch (CelValidationException notAlone) {
      return Optional.empty();
    } catch (CelEvaluationException e) {
      return Optional.of(CelExpression.explain(e));
    }
  }
}
