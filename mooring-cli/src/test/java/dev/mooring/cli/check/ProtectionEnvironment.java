package dev.mooring.cli.check;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.demo.ClusterClient.Ref;
import dev.mooring.cli.demo.DemoEnvironment;
import dev.mooring.cli.demo.DemoRemoval;
import dev.mooring.cli.demo.Narrator;
import dev.mooring.cli.demo.Story;
import dev.mooring.cli.live.Types;
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
  private final Story story;
  private final DemoRemoval removal;
  private final Map<String, ClusterClient> authors = new LinkedHashMap<>();
  private final TcpLoadBalancer front;
  private final Duration load;

  private ProtectionEnvironment(
      Suite suite, Duration load, TcpLoadBalancer front, Story story, DemoRemoval removal) {
    this.suite = suite;
    this.load = load;
    this.front = front;
    this.story = story;
    this.removal = removal;
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
      DemoRemoval removal = DemoRemoval.of(demo);
      var story = Story.of(demo, narrator, PATIENCE);
      story.prepareProtection();
      return new ProtectionEnvironment(suite, load, front, story, removal);
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

  private DemoEnvironment demo() {
    return story.environment();
  }

  ClusterClient dependencies() {
    return demo().dependencies();
  }

  ClusterClient network() {
    return demo().network();
  }

  ClusterClient compute() {
    return demo().compute();
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
    return demo().blue();
  }

  /** Makes a workspace that exports what one of the demo's manifests describes. */
  ClusterClient provider(String name, String manifest) {
    ClusterClient cluster = workspace(name);
    story
        .kubectl()
        .create(
            cluster,
            cluster.name() + "-objects.yaml",
            Manifests.ofResource("/demo/" + manifest, Map.of("org", demo().org().value())));
    return cluster;
  }

  ClusterClient workspace(String name) {
    story.createWorkspace(demo().orgPlace(), name);
    story.awaitWorkspace(demo().orgPlace(), name);
    ClusterClient cluster = demo().child(name);
    story.grant(cluster);
    return cluster;
  }

  /** Binds an export, once its provider has it. */
  void bind(ClusterClient consumer, ClusterClient provider, String export) {
    await(
        export + " is there",
        () -> provider.client().find(Types.API_EXPORTS, "", export).isPresent());
    story.bind(consumer, provider, export);
  }

  /** Lets the provider write rules, and the controller protect its objects. */
  void bindRules(ClusterClient provider) {
    bind(provider, dependencies(), "dependencies.opendefense.cloud");
  }

  void namespace(String name) {
    create(Types.NAMESPACES, KubeObject.of(Types.NAMESPACES, "Namespace", "", name));
  }

  Ref vpc(String namespace, String name) {
    return create(Types.VPCS, Samples.vpc(namespace, name));
  }

  /**
   * @param vpc that it refers to
   */
  void machine(String name, Ref vpc) {
    create(Types.VIRTUAL_MACHINES, Samples.machine(vpc.namespace(), name, vpc.name()));
  }

  /** A VPC in {@code default} that a machine refers to; it is protected when this returns. */
  Ref protectedVpc(String name) {
    // A check before this one may have failed while a service was away.
    awaitServices();
    Ref vpc = vpc("default", name);
    machine(name + "-user", vpc);
    requireRefused(vpc, "still referenced by");
    return vpc;
  }

  /** An object of the consumer; leaves an existing one as it is. */
  Ref create(ResourceType type, KubeObject object) {
    Ref ref = consumer().ref(type, object.namespace(), object.name());
    untilServed(
        named(ref) + " can be created in " + consumer().name(),
        () -> {
          try {
            consumer().client().create(type, object);
          } catch (KubeFailure e) {
            if (e.kind() != KubeFailure.Kind.ALREADY_EXISTS) {
              throw e;
            }
          }
        });
    return ref;
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

  boolean exists(Ref ref) {
    return ref.cluster().client().find(ref.type(), ref.namespace(), ref.name()).isPresent();
  }

  void requireGone(Ref ref) {
    HarnessFailure.unless(!exists(ref), named(ref) + " is still there");
  }

  /** It can be deleted, and is gone. */
  void requireDeletable(Ref ref) {
    refusal(ref)
        .ifPresent(why -> HarnessFailure.unless(false, named(ref) + " was refused: " + why));
    requireGone(ref);
  }

  /** It cannot be deleted, for this reason, and is still there. */
  void requireRefused(Ref ref, String because) {
    String message = refusal(ref).orElse("(it was deleted)");
    HarnessFailure.unless(
        message.contains(because),
        "%s should have been refused with \"%s\", but: %s".formatted(named(ref), because, message));
    HarnessFailure.unless(exists(ref), named(ref) + " is gone all the same");
  }

  /** Whether its deletion is refused because something refers to it. */
  boolean isReferenced(Ref ref) {
    return refusal(ref).filter(why -> why.contains("still referenced by")).isPresent();
  }

  private static String named(Ref ref) {
    return ref.type().resource() + "/" + ref.name();
  }

  /** What a deletion was refused with; empty if it went through. */
  Optional<String> refusal(Ref ref) {
    try {
      ref.cluster()
          .client()
          .delete(ref.type(), ref.namespace(), ref.name(), new DeleteCondition.Unconditional());
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

  /** A field of each entry's {@code clientConfig}; none without a configuration. */
  List<String> clientConfigs(ClusterClient provider, String field) {
    return configuration(provider).stream()
        .flatMap(found -> found.list("webhooks").stream())
        .map(entry -> Trees.text(entry, "clientConfig", field))
        .toList();
  }

  /** Whether a provider's configuration names this URL in each entry, with any suffix. */
  boolean reachedBy(ClusterClient provider, String url) {
    List<String> urls = clientConfigs(provider, "url");
    return !urls.isEmpty() && urls.stream().allMatch(named -> named.startsWith(url));
  }

  /** An entry of a rule's dependencies. */
  Map<String, Object> on(String provider, ResourceType target, String path) {
    return on(provider, target, Map.of("path", path));
  }

  Map<String, Object> on(String provider, ResourceType target, Map<String, Object> field) {
    return Samples.on(demo().org().child(provider).value(), target, field);
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

  /**
   * @param status of the rule's condition: True, False, Unknown
   */
  void awaitCondition(ClusterClient author, String rule, String type, String status) {
    await(
        "%s of the rule %s is %s".formatted(type, rule, status),
        () ->
            author
                .client()
                .find(Types.DEPENDENCY_RULES, "", rule)
                .filter(found -> found.condition(type).equals(status))
                .isPresent());
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
    demo().close();
    suite.close();
    try {
      front.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
