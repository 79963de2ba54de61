package dev.mooring.check;

import dev.mooring.demo.Place;
import dev.mooring.demo.Types;
import dev.mooring.harness.Program;
import dev.mooring.harness.ServingCertificate;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** How protection is installed, and follows the rules (W3 to W6). */
final class InstallationChecks {
  private static final String EXPORT = "storage.example.corp";

  private final Ground ground;
  private Place storage;

  InstallationChecks(Ground ground) {
    this.ground = ground;
  }

  List<Check> all() {
    return List.of(
        new Check("W3", "a provider that comes after the rule is protected", this::lateProvider),
        new Check("W4", "a restart changes no webhook configuration", this::restart),
        new Check("W5", "what a rule names no more is not asked about", this::droppedTarget),
        new Check(
            "W5b", "a rule deleted while nobody looked takes its webhook along", this::goneRule),
        new Check("W6", "a changed URL reaches what is installed", this::changedUrl),
        new Check("W6b", "a changed CA bundle reaches what is installed", this::changedBundle));
  }

  private void lateProvider() {
    storage = ground.provider("storage", "storage-apis.yaml");
    ground.rule(ground.stage().compute(), machinesNeed(true));
    ground.await(
        "the rule is known not to be in force",
        () -> ground.condition(ground.stage().compute(), "storage", "Ready").equals("False"));
    ground.bind(storage, ground.stage().dependencies(), "dependencies.opendefense.cloud");
    ground.await(
        "the webhook is installed at the late provider",
        () -> ground.guards(storage, "volumes") && ground.guards(storage, "snapshots"));
    ground.bind(ground.consumer(), storage, EXPORT);
  }

  private void restart() {
    requireStorage();
    Place network = ground.stage().network();
    String before = ground.configuration(network).orElseThrow().resourceVersion();
    String late = ground.configuration(storage).orElseThrow().resourceVersion();
    ground.suite().service(Program.DEPENDENCY_CONTROLLER).kill();
    ground.suite().relaunch(Program.DEPENDENCY_CONTROLLER);
    ground.awaitServices();
    // A rule written now is worked on after everything that was there.
    ground.rule(
        ground.stage().compute(),
        Samples.rule(
            "afterwards",
            Types.VIRTUAL_MACHINES,
            Samples.on(path("network"), Types.VPCS, Map.of("path", ".spec.vpcRef.name"))));
    ground.await(
        "the restarted controller has worked",
        () -> ground.condition(ground.stage().compute(), "afterwards", "Ready").equals("True"));
    ground.deleteRule(ground.stage().compute(), "afterwards");
    CheckFailure.unless(
        ground.configuration(network).orElseThrow().resourceVersion().equals(before)
            && ground.configuration(storage).orElseThrow().resourceVersion().equals(late),
        "a webhook configuration was written");
  }

  private void droppedTarget() {
    requireStorage();
    ground.rule(ground.stage().compute(), machinesNeed(false));
    ground.await("snapshots are left alone", () -> !ground.guards(storage, "snapshots"));
    CheckFailure.unless(ground.guards(storage, "volumes"), "volumes are left alone, too");
  }

  private void goneRule() {
    requireStorage();
    ground.suite().service(Program.DEPENDENCY_CONTROLLER).kill();
    ground.deleteRule(ground.stage().compute(), "storage");
    ground.suite().relaunch(Program.DEPENDENCY_CONTROLLER);
    ground.await(
        "the orphaned webhook configuration is gone",
        () -> ground.configuration(storage).isEmpty());
    CheckFailure.unless(
        ground.guards(ground.stage().network(), "vpcs"), "VPCs are not protected any more");
  }

  private void changedUrl() {
    String option = "--mooring.dependency-controller.webhook-url";
    String before = ground.suite().argument(Program.DEPENDENCY_CONTROLLER, option);
    String other = before.replace("127.0.0.1", "localhost");
    try {
      move(option, other);
      ground.await(
          "the other URL is installed",
          () -> ground.urls(ground.stage().network()).stream().allMatch(u -> u.startsWith(other)));
      ground.create(ground.consumer(), Types.VPCS, Samples.vpc("default", "moved"));
      ground.create(
          ground.consumer(), Types.VIRTUAL_MACHINES, Samples.machine("default", "mover", "moved"));
      ground.requireRefused(Types.VPCS, "default", "moved", "VirtualMachine/mover");
    } finally {
      move(option, before);
    }
    ground.await(
        "the first URL is installed again",
        () -> ground.urls(ground.stage().network()).stream().allMatch(u -> u.startsWith(before)));
  }

  private void move(String option, String value) {
    ground.suite().service(Program.DEPENDENCY_CONTROLLER).close();
    ground.suite().relaunch(Program.DEPENDENCY_CONTROLLER, Map.of(option, value));
    ground.awaitServices();
  }

  private void changedBundle() throws IOException {
    Path bundle =
        Path.of(
            ground
                .suite()
                .argument(
                    Program.DEPENDENCY_CONTROLLER,
                    "--mooring.dependency-controller.webhook-ca-bundle-path"));
    Path other = ground.suite().directory().resolve("another-authority");
    Files.createDirectories(other);
    Path authority = ServingCertificate.in(other, Instant.now()).authority();
    String before = bundle();
    Files.writeString(bundle, Files.readString(bundle) + Files.readString(authority));
    ground.await("the new bundle is installed", () -> !bundle().equals(before));
    ground.create(ground.consumer(), Types.VPCS, Samples.vpc("default", "bundled"));
    ground.create(
        ground.consumer(), Types.VIRTUAL_MACHINES, Samples.machine("default", "vm", "bundled"));
    ground.requireRefused(Types.VPCS, "default", "bundled", "VirtualMachine/vm");
  }

  private String bundle() {
    return ground.configuration(ground.stage().network()).stream()
        .flatMap(found -> found.list("webhooks").stream())
        .map(webhook -> Trees.textOrEmpty(Trees.at(webhook, "clientConfig", "caBundle")))
        .findFirst()
        .orElse("");
  }

  /** The check before has to have come so far. */
  private void requireStorage() {
    CheckFailure.unless(
        storage != null && ground.configuration(storage).isPresent(),
        "there is no provider with a webhook to try it on: W3 does not hold");
  }

  private KubeObject machinesNeed(boolean snapshots) {
    var volumes =
        Samples.on(path("storage"), Samples.VOLUMES, Map.of("path", ".spec.subnetRef.name"));
    var images =
        Samples.on(path("storage"), Samples.SNAPSHOTS, Map.of("path", ".spec.subnetRef.name"));
    return snapshots
        ? Samples.rule("storage", Types.VIRTUAL_MACHINES, volumes, images)
        : Samples.rule("storage", Types.VIRTUAL_MACHINES, volumes);
  }

  private String path(String workspace) {
    return ground.stage().org().child(workspace).value();
  }
}
