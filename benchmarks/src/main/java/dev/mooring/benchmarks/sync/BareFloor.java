package dev.mooring.benchmarks.sync;

import dev.mooring.benchmarks.common.Load;
import dev.mooring.benchmarks.sync.Stage.Parcel;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The writes that no agent can do without, made by {@value Load#CLIENTS} clients with no agent
 * about: the consumer's and the operator's own, those of finalizer, copy and status, and the
 * consumer's events. No agent can be faster on the same machine.
 */
record BareFloor(Stage stage) {
  private static final String FINALIZER = "syncagent.kcp.io/cleanup";

  void down(Parcel parcel) {
    KubeObject source =
        parcel.consumer().client().create(Types.PARCELS, Types.parcel(parcel.name()));
    KubeClient agent = stage.asAgent(parcel.consumer());
    Map<String, Object> finalizer =
        Map.of("finalizers", List.of(FINALIZER), "resourceVersion", source.resourceVersion());
    agent.patch(Types.PARCELS, "default", parcel.name(), Map.of("metadata", finalizer));
    stage
        .service()
        .create(
            Types.PARCELS,
            Types.parcel(parcel.name()).with(parcel.copyNamespace(), "metadata", "namespace"));
    agent.create(Types.EVENTS, event(source, "ObjectPlaced"));
  }

  void status(Parcel parcel) {
    Map<String, Object> status = Types.status("Underway");
    stage.service().patchStatus(Types.PARCELS, parcel.copyNamespace(), parcel.name(), status);
    KubeClient agent = stage.asAgent(parcel.consumer());
    KubeObject source = agent.patchStatus(Types.PARCELS, "default", parcel.name(), status);
    agent.create(Types.EVENTS, event(source, "ObjectStatusSynced"));
  }

  void deletion(Parcel parcel) {
    delete(parcel.consumer().client(), "default", parcel.name());
    delete(stage.service(), parcel.copyNamespace(), parcel.name());
    KubeClient agent = stage.asAgent(parcel.consumer());
    KubeObject source =
        agent.patch(
            Types.PARCELS,
            "default",
            parcel.name(),
            Map.of("metadata", Map.of("finalizers", List.of())));
    agent.create(Types.EVENTS, event(source, "ObjectDeleted"));
  }

  private static void delete(KubeClient client, String namespace, String name) {
    client.delete(Types.PARCELS, namespace, name, new DeleteCondition.Unconditional());
  }

  private static KubeObject event(KubeObject about, String reason) {
    Map<String, Object> involved =
        Map.of(
            "apiVersion", about.apiVersion(),
            "kind", about.kind(),
            "namespace", about.namespace(),
            "name", about.name(),
            "uid", about.uid());
    String name = about.name() + "." + UUID.randomUUID();
    return KubeObject.of(Types.EVENTS, "Event", "default", name)
        .with(involved, "involvedObject")
        .with("Normal", "type")
        .with(reason, "reason")
        .with("The current state of the object has been written by the benchmark.", "message")
        .with("sync-benchmark", "source", "component");
  }
}
