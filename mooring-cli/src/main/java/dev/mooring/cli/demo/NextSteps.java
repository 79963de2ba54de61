package dev.mooring.cli.demo;

import dev.mooring.harness.PortPlan;
import java.util.List;

/** What one can try by hand while the demo stays up. */
final class NextSteps {
  private NextSteps() {}

  static void print(DemoEnvironment environment, Narrator narrator) {
    narrator.chapter("Look around");
    PortPlan ports = environment.suite().ports();
    narrator.line("Everything keeps running until Ctrl-C. In another terminal:");
    narrator.line("");
    for (ClusterClient cluster :
        List.of(
            environment.blue(),
            environment.green(),
            environment.certificates(),
            environment.network(),
            environment.compute(),
            environment.dependencies(),
            environment.serviceCluster())) {
      narrator.line(
          String.format("  export KUBECONFIG=%s   # %s", cluster.kubeconfig(), cluster.name()));
    }
    narrator.line("");
    narrator.line("As team-blue, for example:");
    narrator.line("");
    narrator.line("  kubectl get certificates,secrets");
    narrator.line("  kubectl get secret shop-tls -o yaml");
    narrator.line("  kubectl delete vpc main               # refused: the machine refers to it");
    narrator.line("");
    narrator.line("Why is it refused, by which rule, and what can be done?");
    narrator.line("");
    narrator.line(
        "  %s why vpc main --deletion --kubeconfig %s --webhook-url http://127.0.0.1:%d"
            .formatted(
                environment.suite().layout().file("mooring"),
                environment.blue().kubeconfig(),
                ports.webhook()));
    narrator.line("");
    narrator.line("  kubectl delete virtualmachine web-1");
    narrator.line("  kubectl delete vpc main               # now it may go");
    narrator.line("");
    narrator.line("On the service cluster:");
    narrator.line("");
    narrator.line("  kubectl get certificates,secrets --all-namespaces");
    narrator.line("");
    narrator.line(
        "The services in a browser (the logs are in "
            + environment.suite().directory().resolve("logs")
            + "):");
    narrator.line("");
    narrator.line("  http://127.0.0.1:" + ports.agent() + "   # sync agent");
    narrator.line("  http://127.0.0.1:" + ports.controller() + "   # dependency controller");
    narrator.line("  http://127.0.0.1:" + ports.webhook() + "   # dependency webhook");
    narrator.line("");
    narrator.line("Kill any of the three services: it is started again, and nothing is lost.");
    narrator.line("");
  }
}
