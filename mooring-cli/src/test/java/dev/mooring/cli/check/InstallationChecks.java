package dev.mooring.cli.check;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.demo.ClusterClient.Ref;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.Program;
import dev.mooring.harness.ServingCertificate;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

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
    machinesNeed(Samples.VOLUMES, Samples.SNAPSHOTS);
    environment.awaitCondition(environment.compute(), "storage", "Ready", "False");
    environment.bind(environment.consumer(), storage, EXPORT);
    environment.create(Types.VIRTUAL_MACHINES, machineOn(KEPT));
    make(Samples.SNAPSHOTS);
    environment.requireDeletable(make(Samples.VOLUMES));
    environment.bindRules(storage);
    environment.awaitCondition(environment.compute(), "storage", "Ready", "True");
    environment.await("volumes of the late provider are kept", () -> kept(Samples.VOLUMES));
    environment.await("snapshots of the late provider are kept", () -> kept(Samples.SNAPSHOTS));
  }

  /** While the webhook is away kcp lets nothing go that it has to ask about. */
  private void droppedTarget() {
    requireStorage();
    machinesNeed(Samples.VOLUMES);
    environment.await("snapshots are left alone", () -> !environment.guards(storage, "snapshots"));
    Ref snapshot = make(Samples.SNAPSHOTS);
    Ref volume = environment.consumer().ref(Samples.VOLUMES, "default", KEPT);
    environment.suite().service(Program.DEPENDENCY_WEBHOOK).kill();
    try {
      environment.await(
          "snapshots can be deleted without the webhook",
          () -> environment.refusal(snapshot).isEmpty());
      environment.requireGone(snapshot);
      environment.requireRefused(volume, "failed calling webhook");
    } finally {
      environment.suite().relaunch(Program.DEPENDENCY_WEBHOOK);
    }
    environment.suite().awaitReady(Program.DEPENDENCY_WEBHOOK);
    environment.requireRefused(volume, REFERRED);
  }

  /**
   * API servers take up a webhook configuration after a moment; objects deleted until then are
   * created again.
   */
  private boolean kept(ResourceType type) {
    Ref made = make(type);
    return environment.refusal(made).filter(why -> why.contains(REFERRED)).isPresent()
        && environment.exists(made);
  }

  private Ref make(ResourceType type) {
    return environment.create(type, Samples.object(type, "default", KEPT, Map.of()));
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
    List<String> before = environment.clientConfigs(environment.network(), "caBundle");
    Files.writeString(bundle, Files.readString(bundle) + Files.readString(authority));
    environment.await(
        "the new bundle is installed",
        () -> !environment.clientConfigs(environment.network(), "caBundle").equals(before));
    Ref vpc = environment.vpc("default", "bundled");
    environment.machine("vm", vpc);
    environment.requireRefused(vpc, "VirtualMachine/vm");
  }

  /** The check before has to have come so far. */
  private void requireStorage() {
    HarnessFailure.unless(
        storage != null && environment.configuration(storage).isPresent(),
        "there is no provider with a webhook to try it on: W3 does not hold");
  }

  private void machinesNeed(ResourceType... targets) {
    environment.rule(
        environment.compute(),
        Samples.rule(
            "storage",
            Types.VIRTUAL_MACHINES,
            Stream.of(targets)
                .map(target -> environment.on("storage", target, ".spec.subnetRef.name"))
                .toList()));
  }
}
