package dev.mooring.sandbox.cel.cost;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.types.CelType;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An argument or the target of a call.
 *
 * @param path from a variable; empty if it is not reached from one
 * @param size null if unknown
 */
record Operand(CelExpr expression, List<String> path, CelType type, @Nullable Range size) {
  Range sizeOrUnknown() {
    return size == null ? Range.UNKNOWN : size;
  }

  /** The value of an integer literal. */
  Optional<Long> literal() {
    return expression.getKind() == CelExpr.ExprKind.Kind.CONSTANT
            && expression.constant().getKind() == CelConstant.Kind.INT64_VALUE
        ? Optional.of(expression.constant().int64Value())
        : Optional.empty();
  }
}
