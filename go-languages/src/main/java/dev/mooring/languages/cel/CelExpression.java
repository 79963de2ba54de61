package dev.mooring.languages.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.common.navigation.CelNavigableExpr;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.FieldStep;
import dev.mooring.languages.InvalidExpression;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * One expression of the Common Expression Language with its standard library and macros, parsed and
 * checked once. Variables are dynamically typed. Evaluation is bounded in steps and in the size of
 * everything it makes.
 */
public final class CelExpression {
  /** Longer expressions are mistakes. */
  public static final int LENGTH_MAX = 16 * 1024;

  private static final Pattern MISSING_KEY =
      Pattern.compile("key '([^']{1,253})' is not present in map");

  private final String source;
  private final CelAbstractSyntaxTree ast;
  private final CelRuntime.Program program;

  private CelExpression(String source, CelAbstractSyntaxTree ast, CelRuntime.Program program) {
    this.source = source;
    this.ast = ast;
    this.program = program;
  }

  /** Throws {@link InvalidExpression}. */
  public static CelExpression compile(String source, Set<String> variables) {
    if (source.isBlank()) {
      throw new InvalidExpression("the CEL expression is empty");
    }
    if (source.length() > LENGTH_MAX) {
      throw new InvalidExpression(
          "the CEL expression is longer than " + LENGTH_MAX + " characters");
    }
    try {
      CelAbstractSyntaxTree ast = CelDialect.compiler(variables).compile(source).getAst();
      return new CelExpression(source, ast, CelDialect.runtime().createProgram(ast));
    } catch (CelValidationException | CelEvaluationException e) {
      throw new InvalidExpression("the CEL expression is not valid: " + e.getMessage());
    } catch (StackOverflowError e) {
      throw new InvalidExpression("the CEL expression is nested too deeply");
    }
  }

  /** This one; throws {@link InvalidExpression} if its result can be of none of these types. */
  public CelExpression yielding(String... types) {
    CelType type = ast.getResultType();
    if (type.kind() == CelKind.DYN || List.of(types).contains(type.name())) {
      return this;
    }
    throw new InvalidExpression(
        "the CEL expression yields a value of type %s, not %s"
            .formatted(type.name(), String.join(" or ", types)));
  }

  /**
   * The result as a frozen tree; throws {@link ExpressionFailure}.
   *
   * @param variables made with {@link CelValues}
   */
  public Object evaluate(Map<String, CelValues> variables) {
    var bound = new HashMap<String, Object>();
    variables.forEach((name, value) -> bound.put(name, value.value()));
    try {
      return CelValues.toTree(program.eval(bound));
    } catch (CelEvaluationException e) {
      throw new ExpressionFailure(explain(e));
    } catch (StackOverflowError e) {
      throw new ExpressionFailure("the CEL expression is nested too deeply");
    }
  }

  /**
   * Whether the result may depend on this field of a variable: false only if every use of the
   * variable takes another field of it, by its name.
   */
  public boolean mayRead(String variable, String field) {
    return CelNavigableAst.fromAst(ast)
        .getRoot()
        .allNodes()
        .filter(node -> node.getKind() == Kind.IDENT)
        .filter(node -> node.expr().ident().name().equals(variable))
        .anyMatch(use -> !takesAnother(use, field));
  }

  /**
   * The fields of a variable that the expression names, also those that it only asks for with
   * {@code has}. What the expression computes is not followed.
   */
  public Set<List<FieldStep>> fields(String variable) {
    return CelFields.of(ast.getExpr(), variable);
  }

  private static boolean takesAnother(CelNavigableExpr use, String field) {
    Optional<CelExpr> around = use.parent().map(CelNavigableExpr::expr);
    if (around.isEmpty()) {
      return false;
    }
    return switch (around.get().getKind()) {
      case SELECT -> !around.get().select().field().equals(field);
      case CALL -> {
        CelExpr.CelCall call = around.get().call();
        yield call.function().equals(CelFields.INDEX)
            && call.args().getFirst().id() == use.id()
            && call.args().getLast().getKind() == Kind.CONSTANT
            && call.args().getLast().constant().getKind() == CelConstant.Kind.STRING_VALUE
            && !call.args().getLast().constant().stringValue().equals(field);
      }
      case NOT_SET, CONSTANT, IDENT, LIST, STRUCT, MAP, COMPREHENSION -> false;
    };
  }

  /** By the source. */
  @Override
  public boolean equals(Object other) {
    return other instanceof CelExpression that && source.equals(that.source);
  }

  @Override
  public int hashCode() {
    return source.hashCode();
  }

  @Override
  public String toString() {
    return source;
  }

  /** CEL's own messages may quote values; only names of fields are taken from them. */
  private static String explain(CelEvaluationException failure) {
    if (failure.getCause() instanceof ExpressionFailure limit) {
      return limit.getMessage();
    }
    return switch (failure.getErrorCode()) {
      case ATTRIBUTE_NOT_FOUND -> missing(String.valueOf(failure.getMessage()));
      case INDEX_OUT_OF_BOUNDS -> "an index is out of bounds";
      case DIVIDE_BY_ZERO -> "division by zero";
      case OVERLOAD_NOT_FOUND, AMBIGUOUS_OVERLOAD ->
          "an operator or function does not take values of these types";
      case NUMERIC_OVERFLOW -> "a number is out of range";
      case ITERATION_BUDGET_EXCEEDED -> "too many iterations";
      case BAD_FORMAT -> "a text cannot be converted";
      case DUPLICATE_ATTRIBUTE -> "a map has the same key twice";
      case INVALID_ARGUMENT, TYPE_NOT_FOUND, INTERNAL_ERROR ->
          "the expression cannot be evaluated with these values";
    };
  }

  private static String missing(String message) {
    var matcher = MISSING_KEY.matcher(message);
    return matcher.find() ? "no such field: " + matcher.group(1) : "a field is missing";
  }
}
