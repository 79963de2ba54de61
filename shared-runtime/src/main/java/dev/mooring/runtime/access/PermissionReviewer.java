package dev.mooring.runtime.access;

import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import java.util.Map;

/** Asks a cluster, at each call, whether a user has a permission there. */
public final class PermissionReviewer {
  private static final ResourceType ACCESS_REVIEWS =
      new ResourceType("authorization.k8s.io", "v1", "subjectaccessreviews");

  private PermissionReviewer() {}

  /**
   * @param verb such as {@code bypass}
   * @param name of one cluster-scoped object
   * @throws KubeFailure if the cluster could not say
   */
  public static boolean permits(
      KubeClient where, Caller caller, String verb, GroupResource type, String name) {
    return permits(
        where,
        caller,
        "resourceAttributes",
        Map.of("verb", verb, "group", type.group(), "resource", type.resource(), "name", name));
  }

  /**
   * @param namespace empty for a cluster-scoped type
   * @throws KubeFailure if the cluster could not say
   */
  public static boolean permitsList(
      KubeClient where, Caller caller, GroupResource type, String namespace) {
    return permits(
        where,
        caller,
        "resourceAttributes",
        Map.of(
            "verb",
            "list",
            "group",
            type.group(),
            "resource",
            type.resource(),
            "namespace",
            namespace));
  }

  /**
   * @param kind the field for attributes of this kind
   * @throws KubeFailure if the cluster could not say
   */
  static boolean permits(
      KubeClient where, Caller caller, String kind, Map<String, String> attributes) {
    Map<String, Object> spec =
        Map.of(
            "user",
            caller.username(),
            "uid",
            caller.uid(),
            "groups",
            caller.groups(),
            "extra",
            caller.extra(),
            kind,
            attributes);
    KubeObject review = review(where, ACCESS_REVIEWS, "SubjectAccessReview", spec);
    return Boolean.TRUE.equals(review.at("status", "allowed"));
  }

  /** The review with the cluster's answer. */
  static KubeObject review(
      KubeClient where, ResourceType type, String kind, Map<String, Object> spec) {
    return where.create(
        type,
        KubeObject.of(
            Map.of(
                "apiVersion",
                type.apiVersion(),
                "kind",
                kind,
                "metadata",
                Map.of(),
                "spec",
                spec)));
  }
}
