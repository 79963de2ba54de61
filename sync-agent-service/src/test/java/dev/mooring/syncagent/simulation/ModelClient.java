package dev.mooring.syncagent.simulation;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.WatchHandle;
import dev.mooring.runtime.client.WatchQuery;
import dev.mooring.runtime.client.WatchSink;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Requests to one cluster of a {@link ServerModel}, each subject to its faults. */
record ModelClient(
    ServerModel server, LogicalCluster cluster, ServerModel.Faults faults, ServerModel.Actor actor)
    implements KubeClient {
  @Override
  public URI url() {
    return URI.create("https://model.example.io/clusters/" + cluster.name().replace("-", "none"));
  }

  @Override
  public Optional<KubeObject> find(ResourceType type, String namespace, String name) {
    return request("get", type, () -> server.find(type, key(namespace, name)));
  }

  @Override
  public KubeList list(ResourceType type, ListQuery query) {
    List<KubeObject> items =
        request(
            "list",
            type,
            () ->
                server.all(type).entrySet().stream()
                    .filter(entry ->
                        cluster.equals(ServerModel.EVERY)
                            || entry.getKey().cluster().equals(cluster))
                    .filter(entry -> hasFields(entry.getKey(), query.fieldSelector()))
                    .filter(entry ->
                        query.namespace().isEmpty()
                            || entry.getKey().namespace().equals(query.namespace()))
                    .filter(entry -> matches(entry.getValue(), query.labelSelector()))
                    .map(Map.Entry::getValue)
                    .toList());
    return new KubeList(items, "0", "");
  }

  @Override
  public KubeObject document(String path) {
    return request("get", null, () -> server.document(path));
  }

  @Override
  public KubeObject create(ResourceType type, KubeObject object) {
    ObjectKey key = key(object.namespace(), object.name());
    return request(
        "create",
        type,
        () -> {
          faults.creating(type, key);
          KubeObject created = server.create(type, key, object);
          faults.created(type);
          return created;
        });
  }

  @Override
  public KubeObject update(ResourceType type, KubeObject object) {
    ObjectKey key = key(object.namespace(), object.name());
    return request(
        "update",
        type,
        () -> {
          faults.changing(type, key);
          return server.update(type, key, object);
        });
  }

  @Override
  public KubeObject updateStatus(ResourceType type, KubeObject object) {
    return request(
        "update status",
        type,
        () -> server.updateStatus(type, key(object.namespace(), object.name()), object));
  }

  @Override
  public KubeObject patch(
      ResourceType type, String namespace, String name, Map<String, Object> mergePatch) {
    ObjectKey key = key(namespace, name);
    return request(
        "patch",
        type,
        () -> {
          faults.changing(type, key);
          return server.patch(type, key, mergePatch);
        });
  }

  @Override
  public KubeObject patchStatus(
      ResourceType type, String namespace, String name, Map<String, Object> mergePatch) {
    return request(
        "patch status",
        type,
        () -> server.patchStatus(type, key(namespace, name), mergePatch.get("status")));
  }

  @Override
  public void delete(ResourceType type, String namespace, String name, DeleteCondition condition) {
    request(
        "delete",
        type,
        () -> {
          server.delete(type, key(namespace, name), condition);
          return null;
        });
  }

  @Override
  public WatchHandle watch(ResourceType type, WatchQuery query, WatchSink sink) {
    throw ServerModel.failure(
        dev.mooring.runtime.client.KubeFailure.Kind.NOT_SERVED, 404, "views read the log: " + type);
  }

  /** Equalities, and labels that must be there, or must not. */
  private static boolean matches(KubeObject object, String selector) {
    return selector.isEmpty()
        || Stream.of(selector.split(","))
            .allMatch(requirement ->
                requirement.startsWith("!")
                    ? !object.labels().containsKey(requirement.substring(1))
                    : has(object, requirement.split("=", 2)));
  }

  private static boolean has(KubeObject object, String[] label) {
    return label.length == 1
        ? object.labels().containsKey(label[0])
        : label[1].equals(object.labels().get(label[0]));
  }

  /** Name and namespace only. */
  private static boolean hasFields(ObjectKey key, String selector) {
    return selector.isEmpty()
        || Stream.of(selector.split(","))
            .map(equality -> equality.split("=", 2))
            .allMatch(pair ->
                pair[1].equals(pair[0].equals("metadata.name") ? key.name() : key.namespace()));
  }

  /**
   * @param type null for discovery
   */
  private <T> T request(String verb, ResourceType type, Supplier<T> carriedOut) {
    faults.before(verb);
    server.check(cluster);
    if (type != null && actor == ServerModel.Actor.AGENT) {
      server
          .notServed(type)
          .ifPresent(failure -> {
            throw failure;
          });
    }
    server.as(actor);
    T answer = carriedOut.get();
    faults.after(verb);
    return answer;
  }

  private ObjectKey key(String namespace, String name) {
    return new ObjectKey(cluster, namespace, name);
  }
}
