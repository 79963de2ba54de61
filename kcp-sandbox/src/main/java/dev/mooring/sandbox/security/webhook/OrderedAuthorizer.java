package dev.mooring.sandbox.security.webhook;

import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.authorization.KubernetesAuthorizer;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Asks authorizers one after the other; the first that allows or denies decides, as in kcp
 * (pkg/server/options/authorization.go). Thread-safe.
 *
 * @param rights RBAC and kcp's own rules
 * @param webhook empty if there is none
 */
public record OrderedAuthorizer(
    List<Step> steps, Authorizer rights, Optional<AuthorizationWebhook> webhook)
    implements Authorizer {
  private static final Decision ALLOWED = new Decision.Allowed("");
  private static final Decision NO_OPINION = new Decision.NoOpinion("");

  /** What may decide, in kcp's order. */
  public enum Step {
    ALWAYS_ALLOW_GROUPS("AlwaysAllowGroups"),
    ALWAYS_ALLOW_PATHS("AlwaysAllowPaths"),
    RBAC("RBAC"),
    WEBHOOK("Webhook");

    private final String text;

    Step(String text) {
      this.text = text;
    }

    /**
     * By the name that kcp's {@code --authorization-order} has for it.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Step of(String text) {
      return Arrays.stream(values())
          .filter(step -> step.text.equals(text))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("invalid authorizer: \"" + text + "\""));
    }
  }

  public OrderedAuthorizer {
    steps = List.copyOf(steps);
  }

  @Override
  public Decision authorize(AuthorizationAttributes attributes) {
    var reasons = new ArrayList<String>();
    for (Step step : steps) {
      switch (opinion(step, attributes)) {
        case Decision.NoOpinion(String reason) when reason.isEmpty() -> {}
        case Decision.NoOpinion(String reason) -> reasons.add(reason);
        case Decision.Allowed allowed -> {
          return allowed;
        }
        case Decision.Denied denied -> {
          return denied;
        }
      }
    }
    return new Decision.NoOpinion(String.join("\n", reasons));
  }

  private Decision opinion(Step step, AuthorizationAttributes attributes) {
    return switch (step) {
      case ALWAYS_ALLOW_GROUPS -> KubernetesAuthorizer.ofMasters(attributes) ? ALLOWED : NO_OPINION;
      case ALWAYS_ALLOW_PATHS -> KubernetesAuthorizer.ofHealth(attributes) ? ALLOWED : NO_OPINION;
      case RBAC -> rights.authorize(attributes);
      case WEBHOOK -> webhook.map(asked -> asked.authorize(attributes)).orElse(NO_OPINION);
    };
  }
}
