package dev.mooring.cli.check;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.demo.ClusterClient.Ref;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.Program;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * What becomes of that which a controller finds when it starts (W4 to W6, take-over): one start, by
 * the Go controller's flags, at four providers whose webhook configurations are in order, written
 * for another URL, orphaned, and the Go program's. All that happened while no controller ran.
 */
@SuppressWarnings("NullAway.Init") // prepare sets the fields before any check reads them.
final class TakeoverChecks {
  /** An asterisk in Base64. */
  private static final String ACCEPT_ALL = "Kg==";

  private final ProtectionEnvironment environment;
  private Ref kept;
  private ClusterClient settled;
  private ClusterClient moved;
  private ClusterClient orphaned;
  private String settledVersion;
  private boolean tried;
  private boolean succeeded;

  TakeoverChecks(ProtectionEnvironment environment) {
    this.environment = environment;
  }

  List<Check> all() {
    return List.of(
        new Check(
            "take-over",
            "the Go program's configuration is taken over in cluster, without a gap",
            this::succeed),
        new Check("W4", "a restart changes no webhook configuration", this::restart),
        new Check(
            "W5b",
            "a rule deleted while no controller runs has its webhook removed",
            this::goneRule),
        new Check("W6", "a changed URL reaches what is installed", this::changedUrl),
        new Check(
            "flags-controller",
            "the controller starts by the Go controller's flags",
            this::controllerFlags));
  }

  private void restart() throws IOException {
    succeed();
    // A rule written now is worked on after everything that was there.
    environment.rule(
        environment.compute(),
        Samples.rule(
            "afterwards",
            Types.VIRTUAL_MACHINES,
            List.of(environment.on("network", Types.VPCS, ".spec.vpcRef.name"))));
    environment.awaitCondition(environment.compute(), "afterwards", "Ready", "True");
    environment.deleteRule(environment.compute(), "afterwards");
    HarnessFailure.unless(
        environment.configuration(settled).orElseThrow().resourceVersion().equals(settledVersion),
        "the webhook configuration of " + settled.name() + " was written");
    requireKept();
  }

  private void goneRule() throws IOException {
    succeed();
    environment.await(
        "the orphaned webhook configuration is gone",
        () -> environment.configuration(orphaned).isEmpty());
    requireKept();
  }

  private void requireKept() {
    environment.requireRefused(kept, "still referenced by VirtualMachine/keeper");
  }

  private void changedUrl() throws IOException {
    succeed();
    environment.await(
        "the new URL is installed", () -> environment.reachedBy(moved, environment.front().url()));
    Ref vpc = environment.vpc("default", "moved");
    environment.machine("mover", vpc);
    environment.requireRefused(vpc, "VirtualMachine/mover");
  }

  private void controllerFlags() throws IOException {
    succeed();
    environment.awaitProbes(
        Program.DEPENDENCY_CONTROLLER, environment.suite().ports().controller());
  }

  /** One controller ends, much happens, and another one starts; once for all checks. */
  private void succeed() throws IOException {
    if (succeeded) {
      return;
    }
    HarnessFailure.unless(!tried, "there is no controller that took over: take-over does not hold");
    tried = true;
    prepare();
    // The Go webhook's part is played by ours, at an address of its own.
    try (TcpLoadBalancer before = TcpLoadBalancer.on(PortPlan.free().admission())) {
      environment.suite().service(Program.DEPENDENCY_CONTROLLER).kill();
      environment.deleteRule(environment.compute(), "orphaned");
      acceptUnsigned();
      before.add(environment.suite().ports().admission());
      install(moved, rewritten(moved, before.url()));
      String uid = install(environment.network(), asGoWould(before.url()));
      kept = environment.vpc("default", "taken-over");
      environment.machine("keeper", kept);
      environment.await(
          "the configuration is in force",
          () -> environment.isReferenced(kept) && before.taken() > 0);
      try (var deletions = SteadyDeletions.start(environment, kept)) {
        deletions.await(10);
        startByFlags();
        environment.await(
            "the configuration is corrected",
            () -> environment.reachedBy(environment.network(), environment.front().url()));
        deletions.await(10);
        before.stop();
        deletions.await(10);
        deletions.requireNoneWrong();
      }
      HarnessFailure.unless(
          environment.configuration(environment.network()).orElseThrow().uid().equals(uid),
          "the webhook configuration was created again");
    } finally {
      if (!environment.suite().service(Program.DEPENDENCY_CONTROLLER).isAlive()) {
        environment.suite().relaunch(Program.DEPENDENCY_CONTROLLER);
      }
    }
    environment.suite().awaitReady(Program.DEPENDENCY_CONTROLLER);
    succeeded = true;
  }

  /** Three providers with a webhook configuration as this controller writes it. */
  private void prepare() {
    settled = guarded("settled");
    moved = guarded("moved");
    environment.await("the URLs are signed", () -> isSigned(settled));
    settledVersion = environment.configuration(settled).orElseThrow().resourceVersion();
    orphaned = guarded("orphaned");
  }

  /** Nothing is left to be written then. */
  private boolean isSigned(ClusterClient provider) {
    String cluster =
        environment
            .configuration(provider)
            .flatMap(KubeObject::logicalCluster)
            .orElseThrow()
            .name();
    return environment.reachedBy(provider, environment.front().url() + "/" + cluster + ".");
  }

  /** As who goes back to the Go program: the URLs that it writes carry no signature. */
  private void acceptUnsigned() {
    var dependencies = environment.dependencies().client();
    dependencies
        .find(Types.SECRETS, "dependency-system", "dependency-webhook-url-keys")
        .ifPresent(
            keys -> dependencies.update(Types.SECRETS, keys.with(ACCEPT_ALL, "data", "unsigned")));
  }

  private ClusterClient guarded(String name) {
    ClusterClient provider = environment.provider(name, "storage-apis.yaml");
    environment.bindRules(provider);
    environment.rule(
        environment.compute(),
        Samples.rule(
            name,
            Types.VIRTUAL_MACHINES,
            List.of(
                environment.on(name, Samples.VOLUMES, ".spec.subnetRef.name"),
                environment.on(name, Samples.SNAPSHOTS, ".spec.subnetRef.name"))));
    environment.awaitCondition(environment.compute(), name, "Ready", "True");
    return provider;
  }

  private void startByFlags() {
    var suite = environment.suite();
    var host = environment.network().client().url();
    suite.relaunchOnlyWith(
        Program.DEPENDENCY_CONTROLLER,
        List.of(
            "--kubeconfig="
                + suite.argument(
                    Program.DEPENDENCY_CONTROLLER, "--mooring.dependency-controller.kubeconfig"),
            "--api-export-name=dependencies.opendefense.cloud",
            "--kcp-base-host=" + host.getScheme() + "://" + host.getRawAuthority(),
            "--webhook-url=" + environment.front().url(),
            "--webhook-ca-bundle-path=" + environment.caBundle(),
            "--health-probe-bind-address=127.0.0.1:" + suite.ports().controller(),
            "--zap-log-level=info",
            // None of the Go program's; for checks that come later.
            "--mooring.dependency-controller.ca-check-period=1s"));
  }

  /** Replaces the entries of a provider's configuration; its UID. */
  private String install(ClusterClient provider, List<Map<String, Object>> entries) {
    KubeObject there = environment.configuration(provider).orElseThrow();
    return provider
        .client()
        .update(Types.WEBHOOK_CONFIGURATIONS, there.with(entries, "webhooks"))
        .uid();
  }

  /** As if the controller that wrote it had had another URL. */
  private List<Map<String, Object>> rewritten(ClusterClient provider, String url) {
    return environment.configuration(provider).orElseThrow().list("webhooks").stream()
        .map(entry -> {
          Map<String, Object> changed = Trees.thawMap(Trees.mapOrEmpty(entry));
          Map<String, Object> client = Trees.thawMap(Trees.map(changed, "clientConfig"));
          client.computeIfPresent(
              "url", (key, old) -> old.toString().replaceFirst("^.*/validate", url));
          changed.put("clientConfig", client);
          return changed;
        })
        .toList();
  }

  private List<Map<String, Object>> asGoWould(String url) {
    String bundle = environment.clientConfigs(environment.network(), "caBundle").getFirst();
    return Manifests.ofResource(
            "/check/go-configuration.yaml", Map.of("url", url, "bundle", bundle))
        .getFirst()
        .list("webhooks")
        .stream()
        .map(Trees::mapOrEmpty)
        .toList();
  }
}
