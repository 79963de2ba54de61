package dev.mooring.check;

import dev.mooring.demo.Types;
import dev.mooring.harness.Program;
import dev.mooring.harness.Suite;
import java.util.List;
import java.util.Map;

/** The webhook while it is away, replaced, or started as the Go program was (W8, flags). */
final class WebhookChecks {
  private static final String SKIP = "dependencies.opendefense.cloud/skip-protection";

  private final Ground ground;
  private final Suite suite;
  private boolean byFlags;

  WebhookChecks(Ground ground) {
    this.ground = ground;
    this.suite = ground.suite();
  }

  List<Check> all() {
    return List.of(
        new Check(
            "W8",
            "while the webhook is away only what is annotated can be deleted",
            this::webhookAway),
        new Check(
            "flags-webhook", "the webhook starts by the Go webhook's flags", this::webhookFlags),
        new Check(
            "rolling",
            "replicas are replaced under load without a wrong answer",
            this::rollingRestart));
  }

  private void webhookAway() {
    Kept.vpc(ground, "w8");
    Kept.vpc(ground, "w8-skipped");
    suite.service(Program.DEPENDENCY_WEBHOOK).kill();
    try {
      ground.requireRefused(Types.VPCS, "default", "w8", "failed calling webhook");
      ground
          .consumer()
          .client()
          .patch(
              Types.VPCS,
              "default",
              "w8-skipped",
              Map.of("metadata", Map.of("annotations", Map.of(SKIP, "true"))));
      ground.requireDeletable(Types.VPCS, "default", "w8-skipped");
    } finally {
      startByFlags();
    }
    suite.awaitReady(Program.DEPENDENCY_WEBHOOK);
    ground.requireRefused(
        Types.VPCS, "default", "w8", "still referenced by VirtualMachine/w8-user");
  }

  private void webhookFlags() {
    if (!byFlags) {
      suite.service(Program.DEPENDENCY_WEBHOOK).close();
      startByFlags();
    }
    ground.awaitProbes(Program.DEPENDENCY_WEBHOOK, suite.ports().webhook());
    Kept.vpc(ground, "flags-webhook");
  }

  /** As the Go webhook is started; it must have ended. */
  private void startByFlags() {
    suite.relaunchOnlyWith(
        Program.DEPENDENCY_WEBHOOK,
        List.of(
            "--kubeconfig="
                + suite.argument(
                    Program.DEPENDENCY_WEBHOOK, "--mooring.dependency-webhook.kubeconfig"),
            "--api-export-name=dependencies.opendefense.cloud",
            "--webhook-port=" + suite.ports().admission(),
            "--tls-cert-dir="
                + suite.argument(
                    Program.DEPENDENCY_WEBHOOK, "--mooring.dependency-webhook.tls-cert-dir"),
            "--health-probe-bind-address=127.0.0.1:" + suite.ports().webhook(),
            "--zap-log-level=info"));
    byFlags = true;
  }

  /** Two replicas behind one address; each is drained in turn, one of them for a new one. */
  private void rollingRestart() {
    Kept.vpc(ground, "rolling");
    Balancer front = ground.front();
    try (Replica second = Replica.launch(ground, "webhook-2");
        var deletions = SteadyDeletions.start(ground, "rolling")) {
      front.add(second.port());
      deletions.await(20);
      front.remove(suite.ports().admission());
      suite.service(Program.DEPENDENCY_WEBHOOK).close();
      deletions.await(20);
      suite.relaunch(Program.DEPENDENCY_WEBHOOK);
      byFlags = false;
      suite.awaitReady(Program.DEPENDENCY_WEBHOOK);
      front.add(suite.ports().admission());
      second.end();
      deletions.await(20);
      deletions.requireNoneWrong();
    } finally {
      if (!suite.service(Program.DEPENDENCY_WEBHOOK).isAlive()) {
        suite.relaunch(Program.DEPENDENCY_WEBHOOK);
        suite.awaitReady(Program.DEPENDENCY_WEBHOOK);
        front.add(suite.ports().admission());
      }
    }
  }
}
