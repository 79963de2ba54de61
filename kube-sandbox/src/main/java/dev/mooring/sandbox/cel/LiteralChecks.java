package dev.mooring.sandbox.cel;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.mooring.languages.GoDuration;
import dev.mooring.sandbox.cel.library.KubernetesLibraries;
import dev.mooring.sandbox.cel.library.StringFormat;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the type checker lets pass and no evaluation could use: literals that are no times,
 * durations or regular expressions, functions of lists of other elements, and formats that their
 * arguments do not fit.
 */
final class LiteralChecks {
  private LiteralChecks() {}

  /** Throws {@link CelValidationException} with all of them. */
  static void check(CelAbstractSyntaxTree ast) throws CelValidationException {
    var issues = new ArrayList<CelIssue>();
    CelNavigableAst.fromAst(ast)
        .getRoot()
        .allNodes()
        .filter(node -> node.getKind() == CelExpr.ExprKind.Kind.CALL)
        .forEach(node -> {
          CelExpr.CelCall call = node.expr().call();
          unfitList(ast, node.expr()).ifPresent(issues::add);
          unfitFormat(ast, node.expr()).ifPresent(issues::add);
          List<CelExpr> arguments = call.args();
          if (arguments.isEmpty()) {
            return;
          }
          CelExpr literal = arguments.getLast();
          if (literal.getKind() == CelExpr.ExprKind.Kind.CONSTANT
              && literal.constant().getKind() == CelConstant.Kind.STRING_VALUE
              && !readable(call.function(), literal.constant().stringValue())) {
            issues.add(
                CelIssue.formatError(
                    location(ast, literal.id()), "invalid " + call.function() + " argument"));
          }
        });
    if (!issues.isEmpty()) {
      throw new CelValidationException(ast.getSource(), issues);
    }
  }

  /** A function of lists that is not there for such elements. */
  private static Optional<CelIssue> unfitList(CelAbstractSyntaxTree ast, CelExpr expression) {
    String function = expression.call().function();
    return expression
        .call()
        .target()
        .flatMap(target -> ast.getType(target.id()))
        .filter(type ->
            type instanceof ListType list
                && list.hasElemType()
                && !KubernetesLibraries.accepts(function, list.elemType()))
        .map(type ->
            CelIssue.formatError(
                location(ast, expression.id()),
                "found no matching overload for '%s' applied to '%s.()'"
                    .formatted(function, CelTypes.format(type))));
  }

  /** A constant template whose arguments are listed. */
  private static Optional<CelIssue> unfitFormat(CelAbstractSyntaxTree ast, CelExpr expression) {
    CelExpr.CelCall call = expression.call();
    if (!call.function().equals("format")
        || call.args().size() != 1
        || call.args().getFirst().getKind() != CelExpr.ExprKind.Kind.LIST) {
      return Optional.empty();
    }
    List<CelExpr> arguments = call.args().getFirst().list().elements();
    List<CelType> types =
        arguments.stream()
            .map(argument -> ast.getType(argument.id()).orElse(SimpleType.DYN))
            .toList();
    return call.target()
        .filter(target ->
            target.getKind() == CelExpr.ExprKind.Kind.CONSTANT
                && target.constant().getKind() == CelConstant.Kind.STRING_VALUE)
        .flatMap(target -> StringFormat.fault(target.constant().stringValue(), types))
        .map(fault ->
            CelIssue.formatError(
                location(
                    ast,
                    fault.argument() < 0 ? expression.id() : arguments.get(fault.argument()).id()),
                fault.text()));
  }

  private static CelSourceLocation location(CelAbstractSyntaxTree ast, long id) {
    Integer offset = ast.getSource().getPositionsMap().get(id);
    return offset == null
        ? CelSourceLocation.NONE
        : ast.getSource().getOffsetLocation(offset).orElse(CelSourceLocation.NONE);
  }

  private static boolean readable(String function, String text) {
    return switch (function) {
      case "matches" -> reads(() -> Pattern.compile(text));
      case "timestamp" -> reads(() -> OffsetDateTime.parse(text));
      case "duration" -> GoDuration.parse(text).isPresent();
      default -> true;
    };
  }

  private static boolean reads(Runnable reader) {
    try {
      reader.run();
      return true;
    } catch (PatternSyntaxException | DateTimeException e) {
      return false;
    }
  }
}
