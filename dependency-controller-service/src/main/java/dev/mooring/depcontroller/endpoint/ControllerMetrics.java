package dev.mooring.depcontroller.endpoint;

import dev.mooring.depcontroller.control.DependencyController;
import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.depcontroller.leadership.Leadership;
import dev.mooring.depcontroller.rules.decide.RuleProblem;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.spring.RuntimeMetrics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.springframework.stereotype.Component;

/** Meters of rules, providers, the work queue, the age of the last event, and requests. */
@Component
record ControllerMetrics(DependencyController controller, Leadership leadership, KubeConnection kcp)
    implements MeterBinder {
  private static final String PREFIX = "mooring.dependency.controller.";

  @Override
  public void bindTo(MeterRegistry registry) {
    Gauge.builder(PREFIX + "leader", leadership, l -> l.holds() ? 1 : 0)
        .description("1 while this replica is the leader, else 0")
        .register(registry);
    String rules = "Rules, by state";
    gauge(registry, "rules", rules, "valid", DependencyController::acceptedRules);
    gauge(
        registry, "rules", rules, "invalid", c -> c.overview().rules().size() - c.acceptedRules());
    ruleProblems(registry, "not-counting", RuleProblem.Kind.NOT_COUNTING);
    ruleProblems(registry, "unknown", RuleProblem.Kind.UNKNOWN);
    providers(registry, "installed", Installation.Installed.class);
    providers(registry, "blocked", Installation.Blocked.class);
    Gauge.builder(PREFIX + "shrink.blocked", controller, c -> c.overview().shrinkBlockedBy().size())
        .description("Providers with stale protection kept because a rule cannot be resolved")
        .register(registry);
    String queue = "Providers and rules in the queue, by state";
    gauge(registry, "queue", queue, "waiting", c -> c.overview().queue().waiting());
    gauge(registry, "queue", queue, "failing", c -> c.overview().queue().failing());
    Gauge.builder(
            PREFIX + "last.event.age.seconds",
            controller,
            c -> c.staleness().lasted().toMillis() / 1_000.0)
        .description("Seconds since the last watch event or bookmark from the stalest shard")
        .register(registry);
    FunctionCounter.builder(
            PREFIX + "failures", controller, c -> (double) c.overview().queue().failed())
        .description("Failed reconciliations; each is retried")
        .register(registry);
    RuntimeMetrics.requests(registry, "kcp", kcp, client -> Optional.of(client.requests()));
  }

  private void ruleProblems(MeterRegistry registry, String state, RuleProblem.Kind kind) {
    gauge(
        registry,
        "rules.problems",
        "Rules that are partly or fully ineffective, by state",
        state,
        c -> c.overview().ruleProblems().values().stream().filter(p -> p.kind() == kind).count());
  }

  private void providers(
      MeterRegistry registry, String state, Class<? extends Installation> installed) {
    gauge(
        registry,
        "providers",
        "Providers' workspaces that rules protect, by state",
        state,
        c -> c.overview().installations().values().stream().filter(installed::isInstance).count());
  }

  private void gauge(
      MeterRegistry registry,
      String name,
      String description,
      String state,
      ToDoubleFunction<DependencyController> value) {
    Gauge.builder(PREFIX + name, controller, value)
        .description(description)
        .tag("state", state)
        .register(registry);
  }
}
