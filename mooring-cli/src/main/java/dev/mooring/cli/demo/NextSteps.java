package dev.mooring.cli.demo;

import dev.mooring.harness.PortPlan;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What one can try by hand while the demo stays up. */
final class NextSteps {
  private static final String TEXT =
      """
      Everything keeps running until Ctrl-C. In another terminal:

      %s

      As team-blue, for example:

        kubectl get certificates,secrets
        kubectl get secret shop-tls -o yaml
        kubectl delete vpc main               # refused: the machine refers to it

      Why is it refused, by which rule, and what can be done?

        %s why vpc main --deletion --kubeconfig %s --webhook-url http://127.0.0.1:%d

        kubectl delete virtualmachine web-1
        kubectl delete vpc main               # now it may go

      On the service cluster:

        kubectl get certificates,secrets --all-namespaces

      The services in a browser (the logs are in %s):

        http://127.0.0.1:%d   # sync agent
        http://127.0.0.1:%d   # dependency controller
        http://127.0.0.1:%d   # dependency webhook

      Kill any of the three services: it is started again, and nothing is lost.
      """;

  private NextSteps() {}

  static void print(DemoEnvironment environment, Narrator narrator) {
    narrator.chapter("Look around");
    PortPlan ports = environment.suite().ports();
    String kubeconfigs =
        Stream.of(
                environment.blue(),
                environment.green(),
                environment.certificates(),
                environment.network(),
                environment.compute(),
                environment.dependencies(),
                environment.serviceCluster())
            .map(at -> "  export KUBECONFIG=%s   # %s".formatted(at.kubeconfig(), at.name()))
            .collect(Collectors.joining("\n"));
    narrator.line(
        TEXT.formatted(
            kubeconfigs,
            environment.suite().layout().file("mooring"),
            environment.blue().kubeconfig(),
            ports.webhook(),
            environment.suite().directory().resolve("logs"),
            ports.agent(),
            ports.controller(),
            ports.webhook()));
  }
}
