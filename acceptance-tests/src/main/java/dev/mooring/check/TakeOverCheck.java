package dev.mooring.check;

import dev.mooring.demo.Types;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.Program;
import dev.mooring.harness.ServiceProcess;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * An installation of the Go program is taken over. What it left is written as it writes it: one
 * entry, the bare path, a rule for each version, no matchConditions; its webhook's part is played
 * by one that answers at that path.
 */
final class TakeOverCheck {
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final String KEPT = "taken-over";

  private final Ground ground;

  TakeOverCheck(Ground ground) {
    this.ground = ground;
  }

  List<Check> all() {
    return List.of(
        new Check(
            "take-over",
            "the Go program's configuration is taken over in place, without a gap",
            this::takeOver));
  }

  private void takeOver() {
    var suite = ground.suite();
    PortPlan free = PortPlan.free();
    ServiceProcess standIn =
        suite.launchReplica(
            Program.DEPENDENCY_WEBHOOK,
            "webhook-taken-over",
            Map.of(
                "--server.port",
                Integer.toString(free.admission()),
                "--management.server.port",
                Integer.toString(free.webhook())));
    suite.service(Program.DEPENDENCY_CONTROLLER).close();
    String uid;
    try {
      uid = installAsGoWould(free.admission());
      ground.create(ground.consumer(), Types.VPCS, Samples.vpc("default", KEPT));
      ground.create(
          ground.consumer(), Types.VIRTUAL_MACHINES, Samples.machine("default", "keeper", KEPT));
      ground.await(
          "the configuration is in force",
          () ->
              ground
                  .refusal(Types.VPCS, "default", KEPT)
                  .filter(message -> message.contains("still referenced by"))
                  .isPresent());
      try (var deletions = SteadyDeletions.start(ground, KEPT, PAUSE)) {
        deletions.await(10);
        suite.relaunch(Program.DEPENDENCY_CONTROLLER);
        ground.await("the configuration is corrected", this::corrected);
        deletions.await(10);
        standIn.close();
        deletions.await(10);
        deletions.requireNoneWrong();
      }
    } finally {
      standIn.close();
      if (!suite.service(Program.DEPENDENCY_CONTROLLER).isAlive()) {
        suite.relaunch(Program.DEPENDENCY_CONTROLLER);
      }
    }
    CheckFailure.unless(
        ground.configuration(ground.stage().network()).orElseThrow().uid().equals(uid),
        "the configuration was made anew");
  }

  private String installAsGoWould(int port) {
    KubeObject there = ground.configuration(ground.stage().network()).orElseThrow();
    Object bundle = Trees.at(there.list("webhooks").getFirst(), "clientConfig", "caBundle");
    var entry =
        Map.of(
            "name",
            "dependency-controller.dependencies.opendefense.cloud",
            "clientConfig",
            Map.of("url", "https://127.0.0.1:" + port + "/validate", "caBundle", bundle),
            "rules",
            List.of(rule("subnets"), rule("vpcs")),
            "failurePolicy",
            "Fail",
            "sideEffects",
            "None",
            "admissionReviewVersions",
            List.of("v1"));
    return ground
        .stage()
        .network()
        .client()
        .update(Types.WEBHOOK_CONFIGURATIONS, there.with(List.of(entry), "webhooks"))
        .uid();
  }

  private static Map<String, Object> rule(String resource) {
    return Map.of(
        "apiGroups", List.of("network.example.corp"),
        "apiVersions", List.of("v1alpha1"),
        "operations", List.of("DELETE"),
        "resources", List.of(resource));
  }

  private boolean corrected() {
    String wanted =
        ground
            .suite()
            .argument(Program.DEPENDENCY_CONTROLLER, "--mooring.dependency-controller.webhook-url");
    List<String> urls = ground.urls(ground.stage().network());
    return !urls.isEmpty() && urls.stream().allMatch(url -> url.startsWith(wanted));
  }
}
