package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.MACHINES;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.admission.FactGatherer;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Allowed;
import dev.mooring.depwebhook.eligibility.decide.Binding;
import dev.mooring.depwebhook.index.ReferenceIndexes;
import dev.mooring.depwebhook.lookup.LookupMethod;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.time.SystemTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Indexes of a consumer whose APIBinding moves while they are open: kcp ends no watch for that, and
 * shows nothing in it that tells.
 */
abstract class RebindingContract extends OnWebhookEnvironment {
  private static final ResourceType DISKS =
      new ResourceType("storage.example.com", "v1alpha1", "disks");
  private static final String DISK = "disks.storage.example.com";

  /** Machines and disks. */
  private static final int INDEXES = 2;

  private static WorkspacePath rival;
  private static WorkspacePath storage;

  private ConfigurableApplicationContext service;

  /** To be called before all tests. */
  static void enter(WebhookEnvironment landscape) throws Exception {
    land = landscape;
    rival = land.nextTo(land.compute, "depwh-rival");
    land.bindDependencies(rival);
    land.export(
        rival,
        "compute.example.com",
        WebhookEnvironment.schema("virtualmachines.compute.example.com", "v1alpha1"));
    storage = land.nextTo(land.compute, "depwh-storage");
    land.bindDependencies(storage);
    land.export(
        storage,
        "storage.example.com",
        WebhookEnvironment.schemaOf(
            DISK, "v1alpha1", "{type: object, properties: {size: {type: string}}}"));
    land.bind(land.consumer, storage, "storage.example.com");
    rule(land.compute, MACHINES);
    rule(rival, MACHINES);
    rule(storage, DISKS);
  }

  /** One whose watches begin with the test. */
  @BeforeEach
  void serves() throws Exception {
    service = land.serve(3);
  }

  private static void rule(WorkspacePath author, ResourceType dependent) {
    land.rule(
        author, "indexed", "consistency: indexed", dependent, "{path: .spec.ref.name}", "vpcs");
  }

  @Test
  void seeWhatCameWithAnotherIdentity() {
    land.create(VPCS, "default", "left", "");
    land.create(VPCS, "default", "kept", "");
    land.create(MACHINES, "default", "vm-left", "left");
    await().until(() -> indexed("left") == Answer.REFUSED);

    unbind("compute.example.com");
    land.bind(land.consumer, rival, "compute.example.com");
    await().until(() -> created("vm-kept", "kept"));
    Instant created = SystemTime.clock().instant();
    // Moves the versions of the identity that was left past what is missing from its watches.
    land.create(land.other, MACHINES, "default", "vm-elsewhere", "");

    assertThat(certainly("kept", created)).isEqualTo(Answer.REFUSED);
  }

  @Test
  void seeTheFieldsOfAnotherSchema() {
    land.create(VPCS, "default", "unmounted", "");
    land.create(VPCS, "default", "mounted", "");
    await().until(() -> indexed("unmounted") == Answer.ALLOWED);

    land.replaceSchema(
        storage,
        "storage.example.com",
        WebhookEnvironment.schemaOf(
            DISK,
            "v1alpha1",
            "{type: object, properties: {size: {type: string},"
                + " ref: {type: object, properties: {name: {type: string}}}}}"));
    var tries = new AtomicInteger();
    await().until(() -> keepsItsReference(tries.incrementAndGet()));
    Instant created = SystemTime.clock().instant();

    assertThat(certainly("mounted", created)).isEqualTo(Answer.REFUSED);
  }

  private enum Answer {
    /** Something was listed, or could not be. */
    NOT_BY_INDEXES,
    REFUSED,
    ALLOWED
  }

  /** What the indexes answer once they claim to have everything that was there at that time. */
  private Answer certainly(String vpc, Instant since) {
    var last = new AtomicReference<Answer>();
    await()
        .until(() -> {
          Duration age = Duration.between(since, SystemTime.clock().instant());
          boolean certain =
              service.getBean(ReferenceIndexes.class).status().oldest().compareTo(age) < 0;
          last.set(indexed(vpc));
          return certain && last.get() != Answer.NOT_BY_INDEXES;
        });
    return last.get();
  }

  private Answer indexed(String vpc) {
    double before = WebhookEnvironment.lookups(service, LookupMethod.INDEX);
    AdmissionDecision decision = decision(vpc);
    if (WebhookEnvironment.lookups(service, LookupMethod.INDEX) < before + INDEXES) {
      return Answer.NOT_BY_INDEXES;
    }
    return decision instanceof Allowed ? Answer.ALLOWED : Answer.REFUSED;
  }

  private AdmissionDecision decision(String vpc) {
    var key = new ObjectKey(land.workspaces.cluster(land.consumer), "default", vpc);
    return service
        .getBean(FactGatherer.class)
        .explain(
            new Target(GroupResource.of(VPCS), key),
            KubeObject.of(Map.of()),
            Optional.of(land.workspaces.cluster(land.network)))
        .decision();
  }

  private static void unbind(String export) {
    KubeClient consumer = land.workspaces.client(land.consumer);
    consumer.delete(Binding.TYPE, "", export, new DeleteCondition.Unconditional());
    await().until(() -> consumer.find(Binding.TYPE, "", export).isEmpty());
  }

  /** kcp needs a moment after a binding. */
  private static boolean created(String machine, String vpc) {
    try {
      land.create(MACHINES, "default", machine, vpc);
      return true;
    } catch (KubeFailure notYet) {
      return false;
    }
  }

  /** The first ones may be written by the old schema still. */
  private static boolean keepsItsReference(int number) {
    KubeObject made =
        land.workspaces
            .client(land.consumer)
            .create(
                DISKS,
                KubeObject.of(
                    Map.of(
                        "apiVersion", DISKS.apiVersion(),
                        "kind", "Disk",
                        "metadata", Map.of("name", "disk" + number, "namespace", "default"),
                        "spec", Map.of("ref", Map.of("name", "mounted")))));
    return made.text("spec", "ref", "name").equals("mounted");
  }
}
