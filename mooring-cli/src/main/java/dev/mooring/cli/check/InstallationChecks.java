package dev.mooring.cli.check;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.demo.Types;
import dev.mooring.harness.HarnessFailure;
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

  private final ProtectionEnvironment environment;

  @SuppressWarnings("NullAway.Init") // Set by the first check.
  private ClusterClient storage;

  InstallationChecks(ProtectionEnvironment environment) {
    this.environment = environment;
  }

  List<Check> all() {
    return List.of(
        new Check("W3", "a provider that comes after the rule is protected", this::lateProvider),
        new Check("W5", "what a rule names no more is not asked about", this::droppedTarget),
        new Check("W6b", "a changed CA bundle reaches what is installed", this::changedBundle));
  }

  private void lateProvider() {
    storage = environment.provider("storage", "storage-apis.yaml");
    environment.rule(environment.demo().compute(), machinesNeed(true));
    environment.await(
        "the rule is known not to be in force",
        () ->
            environment
                .condition(environment.demo().compute(), "storage", "Ready")
                .equals("False"));
    environment.bind(environment.consumer(), storage, EXPORT);
    environment.create(environment.consumer(), Types.VIRTUAL_MACHINES, machineOn(KEPT));
    make(Samples.VOLUMES);
    make(Samples.SNAPSHOTS);
    environment.requireDeletable(Samples.VOLUMES, "default", KEPT);
    environment.bind(storage, environment.demo().dependencies(), "dependencies.opendefense.cloud");
    environment.await(
        "the rule is in force",
        () ->
            environment.condition(environment.demo().compute(), "storage", "Ready").equals("True"));
    environment.await("volumes of the late provider are kept", () -> kept(Samples.VOLUMES));
    environment.await("snapshots of the late provider are kept", () -> kept(Samples.SNAPSHOTS));
  }

  /** While the webhook is away kcp lets nothing go that it has to ask about. */
  private void droppedTarget() {
    requireStorage();
    environment.rule(environment.demo().compute(), machinesNeed(false));
    environment.await("snapshots are left alone", () -> !environment.guards(storage, "snapshots"));
    make(Samples.SNAPSHOTS);
    environment.suite().service(Program.DEPENDENCY_WEBHOOK).kill();
    try {
      environment.await(
          "snapshots can be deleted without the webhook",
          () -> environment.refusal(Samples.SNAPSHOTS, "default", KEPT).isEmpty());
      HarnessFailure.unless(
          !environment.exists(Samples.SNAPSHOTS, "default", KEPT),
          "snapshots/" + KEPT + " is still there");
      environment.requireRefused(Samples.VOLUMES, "default", KEPT, "failed calling webhook");
    } finally {
      environment.suite().relaunch(Program.DEPENDENCY_WEBHOOK);
    }
    environment.suite().awaitReady(Program.DEPENDENCY_WEBHOOK);
    environment.requireRefused(Samples.VOLUMES, "default", KEPT, REFERRED);
  }

  /**
   * API servers take up a webhook configuration after a moment; objects deleted until then are
   * created again.
   */
  private boolean kept(ResourceType type) {
    make(type);
    return environment
            .refusal(type, "default", KEPT)
            .filter(why -> why.contains(REFERRED))
            .isPresent()
        && environment.exists(type, "default", KEPT);
  }

  private void make(ResourceType type) {
    environment.create(
        environment.consumer(), type, Samples.object(type, "default", KEPT, Map.of()));
  }

  private static KubeObject machineOn(String name) {
    return Samples.object(
        Types.VIRTUAL_MACHINES,
        "default",
        name + "-user",
        Map.of("vpcRef", Map.of("name", "none"), "subnetRef", Map.of("name", name)));
  }

  private void changedBundle() throws IOException {
    Path bundle = environment.caBundle();
    Path other = environment.suite().directory().resolve("another-authority");
    Files.createDirectories(other);
    Path authority = ServingCertificate.in(other, Instant.now()).authority();
    String before = bundle();
    Files.writeString(bundle, Files.readString(bundle) + Files.readString(authority));
    environment.await("the new bundle is installed", () -> !bundle().equals(before));
    environment.create(environment.consumer(), Types.VPCS, Samples.vpc("default", "bundled"));
    environment.create(
        environment.consumer(),
        Types.VIRTUAL_MACHINES,
        Samples.machine("default", "vm", "bundled"));
    environment.requireRefused(Types.VPCS, "default", "bundled", "VirtualMachine/vm");
  }

  private String bundle() {
    return environment.configuration(environment.demo().network()).stream()
        .flatMap(found -> found.list("webhooks").stream())
        .map(webhook -> Trees.text(webhook, "clientConfig", "caBundle"))
        .findFirst()
        .orElse("");
  }

  /** The check before has to have come so far. */
  private void requireStorage() {
    HarnessFailure.unless(
        storage != null && environment.configuration(storage).isPresent(),
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
    return environment.demo().org().child(workspace).value();
  }
}
