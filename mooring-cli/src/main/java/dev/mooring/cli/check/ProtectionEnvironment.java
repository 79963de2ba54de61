package dev.mooring.cli.check;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.demo.DemoEnvironment;
import dev.mooring.cli.demo.DemoRemoval;
import dev.mooring.cli.demo.Kubectl;
import dev.mooring.cli.demo.Narrator;
import dev.mooring.cli.demo.Providers;
import dev.mooring.cli.demo.Types;
import dev.mooring.harness.Await;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.HttpProbe;
import dev.mooring.harness.KcpChoice;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.Program;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.harness.Suite;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Where checks are made: a kcp, the dependency controller and the webhook as processes with the
 * rights of the shipped manifests, a provider of networks, one of machines, and a consumer. Closing
 * it ends what it started and removes its workspaces.
 */
public final class ProtectionEnvironment implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(120);
  static final String CONFIGURATION = "dependency-controller";

  private final Suite suite;
  private final DemoEnvironment demo;
  private final DemoRemoval removal;
  private final Kubectl kubectl;
  private final Map<String, ClusterClient> authors = new LinkedHashMap<>();
  private final TcpLoadBalancer front;
  private final Duration load;

  private ProtectionEnvironment(
      Suite suite,
      Duration load,
      TcpLoadBalancer front,
      DemoEnvironment demo,
      DemoRemoval removal,
      Kubectl kubectl) {
    this.suite = suite;
    this.load = load;
    this.front = front;
    this.demo = demo;
    this.removal = removal;
    this.kubectl = kubectl;
  }

  /**
   * @param directory for kubeconfigs, certificates, data and logs
   * @param load how long deletions go on at least while something is replaced
   */
  public static ProtectionEnvironment prepare(
      ProjectLayout layout, Path directory, PortPlan ports, KcpChoice choice, Duration load) {
    var suite = new Suite(layout, directory, ports, choice);
    try {
      Files.createDirectories(directory);
      var narrator =
          new Narrator(
              new PrintStream(
                  directory.resolve("environment.log").toFile(), StandardCharsets.UTF_8),
              Narrator.Look.PLAIN);
      TcpLoadBalancer front = TcpLoadBalancer.on(PortPlan.free().admission());
      front.add(ports.admission());
      suite.reviewThrough(front.port());
      suite.launchClusters();
      String org = "protection-" + Long.toString(Instant.now().toEpochMilli(), 36);
      var demo =
          new DemoEnvironment(
              suite, WorkspacePath.ROOT.child(org), suite.awaitKcp(), suite.awaitServiceCluster());
      DemoRemoval removal =
          switch (choice) {
            case KcpChoice.Sandbox(int _) -> DemoRemoval.notNeeded();
            case KcpChoice.Existing(Path _) -> DemoRemoval.of(demo);
          };
      var kubectl =
          new Kubectl(narrator, directory.resolve("manifests"), suite::requireAllAlive, PATIENCE);
      Providers.prepareProtection(demo, narrator, kubectl);
      return new ProtectionEnvironment(suite, load, front, demo, removal, kubectl);
    } catch (IOException e) {
      suite.close();
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      suite.close();
      throw e;
    }
  }

  Suite suite() {
    return suite;
  }

  DemoEnvironment demo() {
    return demo;
  }

  /** How long deletions go on at least while something is replaced. */
  Duration load() {
    return load;
  }

  /** What stands before the webhook's replicas; at first there is but one. */
  TcpLoadBalancer front() {
    return front;
  }

  /** The file with what the webhook's certificate is checked with. */
  Path caBundle() {
    return Path.of(
        suite.argument(
            Program.DEPENDENCY_CONTROLLER,
            "--mooring.dependency-controller.webhook-ca-bundle-path"));
  }

  /** Waits until a service's probes, under the names that the Go programs have, answer well. */
  void awaitProbes(Program program, int port) {
    try (HttpProbe probe = HttpProbe.plain()) {
      for (String path : List.of("healthz", "readyz")) {
        URI url = URI.create("http://127.0.0.1:" + port + "/" + path);
        await(
            program.module() + " answers " + url,
            () -> {
              suite.service(program).requireAlive();
              return probe.status(url).filter(code -> code == 200).isPresent();
            });
      }
    }
  }

  ClusterClient consumer() {
    return demo.blue();
  }

  /** Makes a workspace that exports what one of the demo's manifests describes. */
  ClusterClient provider(String name, String manifest) {
    ClusterClient cluster = workspace(name);
    apply(cluster, Manifests.ofResource("/demo/" + manifest, Map.of("org", demo.org().value())));
    return cluster;
  }

  ClusterClient workspace(String name) {
    kubectl.create(
        demo.orgPlace(),
        "workspace-" + name + ".yaml",
        Manifests.ofResource("/demo/workspace.yaml", Map.of("name", name)));
    await(
        "workspace " + name + " is ready",
        () ->
            demo.orgPlace()
                .client()
                .find(Types.WORKSPACES, "", name)
                .filter(found -> found.text("status", "phase").equals("Ready"))
                .isPresent());
    ClusterClient cluster = demo.child(name);
    Providers.grant(kubectl, demo, cluster);
    return cluster;
  }

  /** Creates objects of the story's types. */
  void apply(ClusterClient cluster, List<KubeObject> objects) {
    kubectl.create(cluster, cluster.name() + "-objects.yaml", objects);
  }

  /** Binds an export, once its provider has it. */
  void bind(ClusterClient consumer, ClusterClient provider, String export) {
    await(
        export + " is there",
        () -> provider.client().find(Types.API_EXPORTS, "", export).isPresent());
    Providers.bind(kubectl, consumer, provider, demo, export);
  }

  void namespace(String name) {
    create(consumer(), Types.NAMESPACES, KubeObject.of(Types.NAMESPACES, "Namespace", "", name));
  }

  /** Leaves an existing object as it is. */
  void create(ClusterClient cluster, ResourceType type, KubeObject object) {
    untilServed(
        type.resource() + "/" + object.name() + " can be created in " + cluster.name(),
        () -> {
          try {
            cluster.client().create(type, object);
          } catch (KubeFailure e) {
            if (e.kind() != KubeFailure.Kind.ALREADY_EXISTS) {
              throw e;
            }
          }
        });
  }

  /** Tries on while kcp does not serve the type yet, which it may not at once after a binding. */
  private void untilServed(String what, Runnable write) {
    await(
        what,
        () -> {
          try {
            write.run();
            return true;
          } catch (KubeFailure e) {
            return switch (e.kind()) {
              case NOT_SERVED, NOT_FOUND, FORBIDDEN, UNAVAILABLE, CONFLICT, ALREADY_EXISTS -> false;
              case INVALID, UNAUTHORIZED, GONE, TOO_LARGE -> throw e;
            };
          }
        });
  }

  void delete(ResourceType type, String namespace, String name) {
    consumer().client().delete(type, namespace, name, new DeleteCondition.Unconditional());
  }

  boolean exists(ResourceType type, String namespace, String name) {
    return consumer().client().find(type, namespace, name).isPresent();
  }

  /** It can be deleted, and is gone. */
  void requireDeletable(ResourceType type, String namespace, String name) {
    delete(type, namespace, name);
    HarnessFailure.unless(
        !exists(type, namespace, name), type.resource() + "/" + name + " is still there");
  }

  /** It cannot be deleted, for this reason, and is still there. */
  void requireRefused(ResourceType type, String namespace, String name, String because) {
    String message = refusal(type, namespace, name).orElse("(it was deleted)");
    HarnessFailure.unless(
        message.contains(because),
        type.resource()
            + "/"
            + name
            + " should have been refused with \""
            + because
            + "\", but: "
            + message);
    HarnessFailure.unless(
        exists(type, namespace, name), type.resource() + "/" + name + " is gone all the same");
  }

  /** What a deletion was refused with; empty if it went through. */
  Optional<String> refusal(ResourceType type, String namespace, String name) {
    try {
      delete(type, namespace, name);
      return Optional.empty();
    } catch (KubeFailure e) {
      return Optional.of(e.getMessage());
    }
  }

  /** The webhook configuration of a provider. */
  Optional<KubeObject> configuration(ClusterClient provider) {
    return provider.client().find(Types.WEBHOOK_CONFIGURATIONS, "", CONFIGURATION);
  }

  /** Whether deletions of the resource are to be asked about at the provider. */
  boolean guards(ClusterClient provider, String resource) {
    return configuration(provider).stream()
        .flatMap(found -> found.list("webhooks").stream())
        .flatMap(webhook -> Trees.list(webhook, "rules").stream())
        .anyMatch(rule -> Trees.list(rule, "resources").contains(resource));
  }

  /** Whether a provider's configuration names this URL in each entry, with any suffix. */
  boolean reachedBy(ClusterClient provider, String url) {
    List<Object> entries =
        configuration(provider).map(found -> found.list("webhooks")).orElse(List.of());
    return !entries.isEmpty()
        && entries.stream()
            .map(entry -> Trees.text(entry, "clientConfig", "url"))
            .allMatch(named -> named.startsWith(url));
  }

  /** Writes a rule, or replaces its specification; names are unique among all authors. */
  void rule(ClusterClient author, KubeObject rule) {
    authors.put(rule.name(), author);
    KubeClient client = author.client();
    untilServed(
        "rule " + rule.name() + " can be written in " + author.name(),
        () ->
            client
                .find(Types.DEPENDENCY_RULES, "", rule.name())
                .ifPresentOrElse(
                    there ->
                        client.update(Types.DEPENDENCY_RULES, there.with(rule.map("spec"), "spec")),
                    () -> client.create(Types.DEPENDENCY_RULES, rule)));
  }

  void deleteRule(ClusterClient author, String name) {
    author.client().delete(Types.DEPENDENCY_RULES, "", name, new DeleteCondition.Unconditional());
  }

  /** The status of a rule's condition: True, False, Unknown; empty if it has none yet. */
  String condition(ClusterClient author, String rule, String type) {
    return author
        .client()
        .find(Types.DEPENDENCY_RULES, "", rule)
        .map(found -> found.condition(type))
        .orElse("");
  }

  void awaitServices() {
    suite.awaitReady(Program.DEPENDENCY_CONTROLLER);
    suite.awaitReady(Program.DEPENDENCY_WEBHOOK);
  }

  void await(String what, BooleanSupplier holds) {
    Await.until(what, PATIENCE.plus(load), () -> {}, holds);
  }

  @Override
  public void close() {
    // A webhook configuration that outlives the webhook would keep the workspaces from going.
    authors.forEach((rule, author) -> {
      try {
        deleteRule(author, rule);
      } catch (KubeFailure goneAlready) {
        // The check that wrote it has deleted it.
      }
    });
    removal.close();
    demo.close();
    suite.close();
    try {
      front.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
