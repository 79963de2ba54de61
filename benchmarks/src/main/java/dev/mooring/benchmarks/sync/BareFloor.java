package dev.mooring.benchmarks.sync;

import dev.mooring.benchmarks.common.Clients;
import dev.mooring.benchmarks.sync.Parcels.Parcel;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The writes that no agent can do without, made by {@value Clients#COUNT} clients with no agent
 * about: the consumer's and the operator's own, those of finalizer, copy and status, and the
 * consumer's events. No agent can be faster on the same machine.
 */
record BareFloor(Stage stage) {
  private static final String FINALIZER = "syncagent.kcp.io/cleanup";

  /** How long the writes take, in seconds. */
  double down(Parcels parcels) {
    stage.consumers().forEach(this::createNamespace);
    return timed(
        parcels,
        parcel -> {
          KubeObject source =
              parcel.consumer().client().create(Types.PARCELS, Types.parcel(parcel.name()));
          KubeClient agent = stage.asAgent(parcel.consumer());
          agent.patch(
              Types.PARCELS, "default", parcel.name(), finalizers(source, List.of(FINALIZER)));
          stage
              .service()
              .create(
                  Types.PARCELS,
                  Types.parcel(parcel.name())
                      .with(parcel.copyNamespace(), "metadata", "namespace"));
          agent.create(Types.EVENTS, event(source, "ObjectAccepted"));
          agent.create(Types.EVENTS, event(source, "ObjectPlaced"));
        });
  }

  double status(Parcels parcels) {
    return timed(
        parcels,
        parcel -> {
          Map<String, Object> status = Map.of("status", Types.status("Underway"));
          stage.service().patchStatus(Types.PARCELS, parcel.copyNamespace(), parcel.name(), status);
          KubeClient agent = stage.asAgent(parcel.consumer());
          KubeObject source = agent.patchStatus(Types.PARCELS, "default", parcel.name(), status);
          agent.create(Types.EVENTS, event(source, "ObjectStatusSynced"));
        });
  }

  double deletion(Parcels parcels) {
    return timed(
        parcels,
        parcel -> {
          delete(parcel.consumer().client(), "default", parcel.name());
          KubeClient agent = stage.asAgent(parcel.consumer());
          delete(stage.service(), parcel.copyNamespace(), parcel.name());
          KubeObject source =
              agent.patch(
                  Types.PARCELS,
                  "default",
                  parcel.name(),
                  Map.of("metadata", Map.of("finalizers", List.of())));
          agent.create(Types.EVENTS, event(source, "ObjectCleanup"));
          agent.create(Types.EVENTS, event(source, "ObjectDeleted"));
        });
  }

  private double timed(Parcels parcels, java.util.function.Consumer<Parcel> writes) {
    long begin = System.nanoTime();
    Clients.share(parcels.all(), writes);
    return (System.nanoTime() - begin) / 1e9;
  }

  private void createNamespace(Stage.Consumer consumer) {
    try {
      stage
          .service()
          .create(
              Types.NAMESPACES,
              KubeObject.of(Types.NAMESPACES, "Namespace", "", consumer.cluster().name()));
    } catch (KubeFailure e) {
      if (e.kind() != KubeFailure.Kind.ALREADY_EXISTS) {
        throw e;
      }
    }
  }

  private static Map<String, Object> finalizers(KubeObject source, List<String> finalizers) {
    return Map.of(
        "metadata", Map.of("finalizers", finalizers, "resourceVersion", source.resourceVersion()));
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
