package dev.mooring.sandbox.cel.cost;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.values.CelByteString;
import dev.cel.runtime.CelEvaluationListener;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one evaluation costs (cel-go {@code interpreter/runtimecost.go}), by the sizes of the values
 * that it comes across. One use.
 */
public final class ActualCost implements CelEvaluationListener {
  /** What an evaluation may cost (apiserver {@code pkg/apis/cel/config.go}). */
  public static final long MAX = 1_000_000;

  private final CostEstimator terms;
  private final Map<Long, Object> values = new HashMap<>();
  private long spent;

  public ActualCost(CelAbstractSyntaxTree ast) {
    terms = new CostEstimator(ast, path -> Optional.empty());
  }

  /** Ends an evaluation that has become too expensive. */
  public static final class Exceeded extends RuntimeException {
    private static final long serialVersionUID = 1;

    private Exceeded() {
      super("actual cost limit exceeded", null, false, false);
    }
  }

  /** Whether the evaluation was, or was to be, ended. */
  public boolean exceeded() {
    return spent > MAX;
  }

  /** Throws {@link Exceeded}. */
  @Override
  public void callback(CelExpr expression, Object value) {
    values.put(expression.id(), value);
    spent +=
        switch (expression.getKind()) {
          case IDENT -> 1;
          case SELECT -> expression.select().testOnly() ? 0 : 1;
          case LIST -> CostEstimator.LIST_BASE;
          case MAP -> CostEstimator.MAP_BASE;
          case STRUCT -> CostEstimator.STRUCT_BASE;
          case CALL -> call(expression, value);
          default -> 0;
        };
    if (exceeded()) {
      throw new Exceeded();
    }
  }

  private long call(CelExpr expression, Object result) {
    CelExpr.CelCall call = expression.call();
    Object target = call.target().map(this::value).orElse(null);
    return switch (call.function()) {
      case "_&&_", "_||_", "_?_:_" -> 0;
      case "isSorted", "sum", "max", "min", "indexOf", "lastIndexOf" -> traversal(target);
      case "join" -> (long) Math.ceil(size(result) * 2 * LibraryCosts.TRAVERSAL);
      default -> terms.call(expression, argument -> size(value(argument)));
    };
  }

  private @Nullable Object value(CelExpr expression) {
    return values.get(expression.id());
  }

  private static long traversal(@Nullable Object value) {
    return switch (value) {
      case String text -> (long) (text.length() * LibraryCosts.TRAVERSAL);
      case CelByteString bytes -> (long) (bytes.size() * LibraryCosts.TRAVERSAL);
      case List<?> list -> list.stream().mapToLong(ActualCost::traversal).sum();
      case null, default -> 1;
    };
  }

  private static long size(@Nullable Object value) {
    return switch (value) {
      case String text -> text.codePointCount(0, text.length());
      case CelByteString bytes -> bytes.size();
      case List<?> list -> list.size();
      case Map<?, ?> map -> map.size();
      case Optional<?> optional -> optional.map(ActualCost::size).orElse(1L);
      case null, default -> 1;
    };
  }
}
