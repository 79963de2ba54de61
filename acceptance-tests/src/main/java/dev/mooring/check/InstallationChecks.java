package dev.mooring.check;

import dev.mooring.demo.Place;
import dev.mooring.demo.Types;
import dev.mooring.harness.Program;
import dev.mooring.harness.ServingCertificate;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** How protection is installed, and follows the rules (W3, W5, W6). */
final class InstallationChecks {
  private static final String EXPORT = "storage.example.corp";

  /** A volume and a snapshot that a machine refers to. */
  private static final String KEPT = "late";

  private static final String REFERRED = "still referenced by VirtualMachine/late-user";

  private final Ground ground;
  private Place storage;

  InstallationChecks(Ground ground) {
    this.ground = ground;
  }

  List<Check> all() {
    return List.of(
        new Check("W3", "a provider that comes after the rule is protected", this::lateProvider),
        new Check("W5", "what a rule names no more is not asked about", this::droppedTarget),
        new Check("W6b", "a changed CA bundle reaches what is installed", this::changedBundle));
  }

  private void lateProvider() {
    storage = ground.provider("storage", "storage-apis.yaml");
    ground.rule(ground.stage().compute(), machinesNeed(true));
    ground.await(
        "the rule is known not to be in force",
        () -> ground.condition(ground.stage().compute(), "storage", "Ready").equals("False"));
    ground.bind(ground.consumer(), storage, EXPORT);
    ground.create(ground.consumer(), Types.VIRTUAL_MACHINES, machineOn(KEPT));
    make(Samples.VOLUMES);
    make(Samples.SNAPSHOTS);
    ground.requireDeletable(Samples.VOLUMES, "default", KEPT);
    ground.bind(storage, ground.stage().dependencies(), "dependencies.opendefense.cloud");
    ground.await(
        "the rule is in force",
        () -> ground.condition(ground.stage().compute(), "storage", "Ready").equals("True"));
    ground.await("volumes of the late provider are kept", () -> kept(Samples.VOLUMES));
    ground.await("snapshots of the late provider are kept", () -> kept(Samples.SNAPSHOTS));
  }

  /** While the webhook is away kcp lets nothing go that it has to ask about. */
  private void droppedTarget() {
    requireStorage();
    ground.rule(ground.stage().compute(), machinesNeed(false));
    ground.await("snapshots are left alone", () -> !ground.guards(storage, "snapshots"));
    make(Samples.SNAPSHOTS);
    ground.suite().service(Program.DEPENDENCY_WEBHOOK).kill();
    try {
      ground.await(
          "snapshots can be deleted without the webhook",
          () -> ground.refusal(Samples.SNAPSHOTS, "default", KEPT).isEmpty());
      CheckFailure.unless(
          !ground.exists(Samples.SNAPSHOTS, "default", KEPT),
          "snapshots/" + KEPT + " is still there");
      ground.requireRefused(Samples.VOLUMES, "default", KEPT, "failed calling webhook");
    } finally {
      ground.suite().relaunch(Program.DEPENDENCY_WEBHOOK);
    }
    ground.suite().awaitReady(Program.DEPENDENCY_WEBHOOK);
    ground.requireRefused(Samples.VOLUMES, "default", KEPT, REFERRED);
  }

  /**
   * API servers take up a configuration after a moment; what they let go till then is made anew.
   */
  private boolean kept(ResourceType type) {
    make(type);
    return ground.refusal(type, "default", KEPT).filter(why -> why.contains(REFERRED)).isPresent()
        && ground.exists(type, "default", KEPT);
  }

  private void make(ResourceType type) {
    ground.create(ground.consumer(), type, Samples.object(type, "default", KEPT, Map.of()));
  }

  private static KubeObject machineOn(String name) {
    return Samples.object(
        Types.VIRTUAL_MACHINES,
        "default",
        name + "-user",
        Map.of("vpcRef", Map.of("name", "none"), "subnetRef", Map.of("name", name)));
  }

  private void changedBundle() throws IOException {
    Path bundle = ground.caBundle();
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
