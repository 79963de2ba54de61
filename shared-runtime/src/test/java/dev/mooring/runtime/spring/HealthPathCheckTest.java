package dev.mooring.runtime.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;

/** Paths below components are checked by each service's contract tests. */
class HealthPathCheckTest {
  private static final OperationParameters NO_PARAMETERS =
      (OperationParameters)
          Proxy.newProxyInstance(
              OperationParameters.class.getClassLoader(),
              new Class<?>[] {OperationParameters.class},
              (_, method, _) -> {
                throw new AssertionError(method);
              });

  @Test
  void looksUpNoBeanForAProbe() {
    OperationInvoker checked =
        new RuntimeAutoConfiguration()
            .healthPathCheck(unavailable(), unavailable())
            .apply(
                EndpointId.of("health"),
                OperationType.READ,
                NO_PARAMETERS,
                _ -> "the group's state");

    for (Map<String, Object> probe :
        List.of(
            Map.<String, Object>of("path", new String[] {"readiness"}),
            Map.<String, Object>of("path", new String[0]))) {
      assertThat(checked.invoke(new InvocationContext(SecurityContext.NONE, probe)))
          .isEqualTo("the group's state");
    }
  }

  private static <T> ObjectProvider<T> unavailable() {
    return new ObjectProvider<>() {
      @Override
      public Stream<T> stream() {
        throw new AssertionError("a bean is looked up");
      }
    };
  }
}
