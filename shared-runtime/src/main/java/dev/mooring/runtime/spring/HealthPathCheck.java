package dev.mooring.runtime.spring;

import java.util.Arrays;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroups;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.registry.HealthContributorRegistry;

/**
 * Answers 404 for a path of the health endpoint that leads below a component that does not exist.
 * Spring Boot 4.1 fails on it ({@code 'contributor' must not be null}) and logs the stack trace of
 * every such request, which needs no token.
 */
record HealthPathCheck(
    ObjectProvider<HealthContributorRegistry> components,
    ObjectProvider<HealthEndpointGroups> groups)
    implements OperationInvokerAdvisor {
  private static final Object NOT_FOUND = EndpointAnswers.notFound("there is no such component");

  @Override
  public OperationInvoker apply(
      EndpointId endpoint,
      OperationType operation,
      OperationParameters parameters,
      OperationInvoker invoker) {
    return endpoint.toLowerCaseString().equals("health")
        ? context -> exists(path(context)) ? invoker.invoke(context) : NOT_FOUND
        : invoker;
  }

  private static List<String> path(InvocationContext context) {
    return context.getArguments().get("path") instanceof Object[] segments
        ? Arrays.stream(segments).map(String::valueOf).toList()
        : List.of();
  }

  /** True also for a path whose last segment does not exist: Spring Boot answers 404 itself. */
  private boolean exists(List<String> path) {
    if (path.size() < 2) {
      return true;
    }
    HealthContributors parent = components.getObject();
    boolean inGroup = groups.getObject().get(path.getFirst()) != null;
    for (String name : path.subList(inGroup ? 1 : 0, path.size() - 1)) {
      if (!(parent.getContributor(name) instanceof HealthContributors composite)) {
        return false;
      }
      parent = composite;
    }
    return true;
  }
}
