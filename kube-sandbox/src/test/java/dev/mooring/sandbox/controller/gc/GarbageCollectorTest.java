package dev.mooring.sandbox.controller.gc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionChain;
import dev.mooring.sandbox.api.registry.FixedCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.controller.PipelineClient;
import dev.mooring.sandbox.storage.InMemoryResourceStore;
import dev.mooring.sandbox.storage.ResourceKey;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.strategy.Change;
import dev.mooring.sandbox.strategy.DeleteOptions;
import dev.mooring.sandbox.strategy.DeleteOptions.Propagation;
import dev.mooring.sandbox.strategy.NameGenerator;
import dev.mooring.sandbox.strategy.WritePipeline;
import dev.mooring.sandbox.strategy.WriteTarget;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GarbageCollectorTest {
  private static final LogicalCluster CLUSTER = new LogicalCluster("one");
  private static final Duration SETTLED_AFTER = Duration.ofMillis(300);

  private final InMemoryResourceStore store = new InMemoryResourceStore();
  private final Things catalog = new Things();
  private final WritePipeline pipeline =
      new WritePipeline(
          store,
          AdmissionChain.of(List.of()),
          new NameGenerator(new Random(1)),
          UUID::randomUUID,
          Clock.systemUTC(),
          _ -> Optional.empty());
  private final GarbageCollector collector =
      GarbageCollector.start(new PipelineClient(store, catalog, pipeline), Clock.systemUTC());

  @AfterEach
  void close() {
    collector.close();
  }

  private static WriteContext context() {
    return WriteContext.internal(CLUSTER, "", "test");
  }

  private KubeObject create(String name, KubeObject... owners) {
    return create(name, "Thing", false, owners);
  }

  private KubeObject create(String name, String ownerKind, boolean blocks, KubeObject... owners) {
    List<Object> references =
        List.<KubeObject>of(owners).stream()
            .<Object>map(owner ->
                KubeJson.readObject(
                        """
                        {"apiVersion": "example.io/v1", "kind": "%s", "name": "%s", "uid": "%s",
                         "blockOwnerDeletion": %s}
                        """
                            .formatted(ownerKind, owner.name(), owner.uid(), blocks))
                    .tree())
            .toList();
    KubeObject object =
        KubeJson.readObject(
            """
            {"apiVersion": "example.io/v1", "kind": "Thing", "metadata": {"name": "%s"}}
            """
                .formatted(name));
    return pipeline
        .create(
            catalog.thing,
            context(),
            references.isEmpty() ? object : object.with(references, "metadata", "ownerReferences"))
        .object();
  }

  private void delete(KubeObject object, Propagation propagation) {
    pipeline.delete(
        catalog.thing,
        context(),
        object.name(),
        new DeleteOptions("", "", Optional.of(propagation), Optional.empty()));
  }

  private void finalizer(String name, String... finalizers) {
    pipeline.change(
        WriteTarget.of(catalog.thing),
        context(),
        name,
        new Change.Patch(it -> it.with(List.of(finalizers), "metadata", "finalizers")));
  }

  private Optional<KubeObject> get(String name) {
    return store
        .get(new StorageKey(ResourceKey.of("example.io", "things"), CLUSTER, "", name))
        .map(StoredObject::object);
  }

  private void awaitGone(String name) {
    await().until(() -> get(name).isEmpty());
  }

  @Test
  void deletesDependentsAndTheirsOnceTheOwnerIsGone() {
    KubeObject owner = create("owner");
    KubeObject child = create("child", owner);
    create("grandchild", child);
    delete(owner, Propagation.BACKGROUND);

    assertThat(get("owner")).isEmpty();
    awaitGone("child");
    awaitGone("grandchild");
  }

  @Test
  void deletesWhatIsCreatedForAnOwnerThatIsGone() {
    KubeObject owner = create("owner");
    delete(owner, Propagation.BACKGROUND);
    create("late", owner);

    awaitGone("late");
  }

  @Test
  void keepsADependentThatHasAnotherOwnerAndDropsTheReference() {
    KubeObject first = create("first");
    KubeObject second = create("second");
    create("child", first, second);
    delete(first, Propagation.BACKGROUND);

    await().until(() -> get("child").orElseThrow().list("metadata", "ownerReferences").size() == 1);
    assertThat(OwnerReference.of(get("child").orElseThrow()).getFirst().uid())
        .isEqualTo(second.uid());
  }

  @Test
  void orphansDependentsThatAreToStay() {
    KubeObject owner = create("owner");
    create("child", owner);
    await().until(() -> get("child").isPresent());
    delete(owner, Propagation.ORPHAN);

    awaitGone("owner");
    assertThat(get("child").orElseThrow().at("metadata", "ownerReferences")).isNull();
  }

  @Test
  void keepsTheOwnerInTheForegroundUntilItsBlockingDependentIsGone() {
    KubeObject owner = create("owner");
    create("child", "Thing", true, owner);
    finalizer("child", "example.com/hold");
    delete(owner, Propagation.FOREGROUND);

    await().until(() -> get("child").orElseThrow().deleting());
    await()
        .during(SETTLED_AFTER)
        .until(() -> get("owner").filter(KubeObject::deleting).isPresent());
    finalizer("child");

    awaitGone("child");
    awaitGone("owner");
  }

  @Test
  void doesNotWaitForADependentThatDoesNotBlock() {
    KubeObject owner = create("owner");
    create("child", "Thing", false, owner);
    finalizer("child", "example.com/hold");
    delete(owner, Propagation.FOREGROUND);

    awaitGone("owner");
    assertThat(get("child")).get().matches(KubeObject::deleting);
  }

  @Test
  void keepsADependentWhoseOwnersKindIsNotServed() {
    KubeObject owner = create("owner");
    create("child", "Unserved", false, owner);
    delete(owner, Propagation.BACKGROUND);

    await().during(SETTLED_AFTER).until(() -> get("child").isPresent());
  }

  @Test
  void keepsADependentOfAnOwnerThatStaysWhenAnotherOneGoesInTheForeground() {
    KubeObject going = create("going");
    KubeObject staying = create("staying");
    create("child", "Thing", true, going, staying);
    delete(going, Propagation.FOREGROUND);

    awaitGone("going");
    assertThat(OwnerReference.of(get("child").orElseThrow()))
        .extracting(OwnerReference::uid)
        .containsExactly(staying.uid());
  }

  @Test
  void collectsByThePolicyThatFinalizersStandFor() {
    KubeObject owner = create("owner");
    KubeObject child = create("child", owner);
    finalizer("child", "orphan");
    create("grandchild", child);
    delete(owner, Propagation.BACKGROUND);

    awaitGone("child");
    await().until(() -> get("grandchild").isPresent());
    assertThat(get("grandchild").orElseThrow().at("metadata", "ownerReferences")).isNull();
  }

  private static final class Things extends FixedCatalog {
    private final ResourceDefinition thing;

    Things() {
      var type = new ResourceType("example.io", "v1", "things");
      add(ResourceDefinition.define(type, ResourceNames.of("things", "Thing"), Scope.CLUSTER));
      thing = find(CLUSTER, type).orElseThrow();
    }
  }
}
