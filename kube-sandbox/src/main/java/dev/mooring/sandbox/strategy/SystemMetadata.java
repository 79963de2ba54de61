package dev.mooring.sandbox.strategy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The fields of metadata that the server alone writes. Pure. Metadata comes out in the order of
 * Kubernetes' own serialization, so that stored texts look alike.
 */
final class SystemMetadata {
  private static final List<String> ORDER =
      List.of(
          "name",
          "generateName",
          "namespace",
          "uid",
          "resourceVersion",
          "generation",
          "creationTimestamp",
          "deletionTimestamp",
          "deletionGracePeriodSeconds",
          "labels",
          "annotations",
          "ownerReferences",
          "finalizers",
          "managedFields");

  /** What an update takes over from the stored object in place of what the client sent. */
  private static final List<String> KEPT =
      List.of("creationTimestamp", "deletionGracePeriodSeconds", "resourceVersion", "generation");

  private SystemMetadata() {}

  /** The object with kind and version first, known metadata only, and its cluster noted. */
  static KubeObject normalize(
      KubeObject object, String apiVersion, String kind, LogicalCluster cluster) {
    Map<String, Object> given = object.map("metadata");
    var metadata = new LinkedHashMap<String, Object>();
    for (String field : ORDER) {
      Object value = field.equals("annotations") ? annotations(given, cluster) : given.get(field);
      if (!Trees.isEmpty(value)) {
        metadata.put(field, value);
      }
    }
    var tree = Trees.ordered("kind", kind, "apiVersion", apiVersion, "metadata", metadata);
    object.tree().forEach(tree::putIfAbsent);
    return KubeObject.of(tree);
  }

  /** A client's new object, with nothing in it that only the server may set. */
  static KubeObject resetForCreate(KubeObject object, String uid, String created) {
    return object
        .without("metadata", "resourceVersion")
        .without("metadata", "deletionTimestamp")
        .without("metadata", "deletionGracePeriodSeconds")
        .with(uid, "metadata", "uid")
        .with(created, "metadata", "creationTimestamp");
  }

  /** A client's changed object, with what it cannot change as it was. */
  static KubeObject preserveOnUpdate(KubeObject updated, KubeObject current) {
    KubeObject object = updated;
    for (String field : KEPT) {
      object = object.withPartOf(current, "metadata", field);
    }
    for (String field : List.of("namespace", "uid", "deletionTimestamp")) {
      if (object.at("metadata", field) == null) {
        object = object.withPartOf(current, "metadata", field);
      }
    }
    return object;
  }

  private static Map<String, Object> annotations(
      Map<String, Object> given, LogicalCluster cluster) {
    Map<String, Object> theirs = Trees.map(given, "annotations");
    var annotations = new LinkedHashMap<>(theirs);
    annotations.remove(LogicalCluster.ANNOTATION);
    if (!cluster.equals(LogicalCluster.NONE)) {
      annotations.put(LogicalCluster.ANNOTATION, cluster.name());
    }
    return annotations;
  }
}
