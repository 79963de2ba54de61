package dev.mooring.sandbox.admission.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.InvalidExpression;
import org.junit.jupiter.api.Test;

class LazyExpressionTest {
  @Test
  void compilesAnInvalidTextOnce() {
    Throwable first = catchThrowable(expression()::compiled);

    assertThat(first).isInstanceOf(InvalidExpression.class);
    assertThat(catchThrowable(expression()::compiled)).isSameAs(first);
  }

  private static LazyExpression expression() {
    return new LazyExpression(
        "nothing.like.it", AdmissionVariables.MESSAGE, CelExpression.Result.ANY);
  }
}
