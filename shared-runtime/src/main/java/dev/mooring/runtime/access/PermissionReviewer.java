package dev.mooring.runtime.access;

import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import java.util.LinkedHashMap;
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

  private static boolean permits(KubeClient where, Caller caller, Map<String, String> attributes) {
    var spec = new LinkedHashMap<String, Object>();
    spec.put("user", caller.username());
    spec.put("uid", caller.uid());
    spec.put("groups", caller.groups());
    spec.put("extra", caller.extra());
    spec.put("resourceAttributes", attributes);
    KubeObject review =
        KubeObject.of(
            Map.of(
                "apiVersion",
                ACCESS_REVIEWS.apiVersion(),
                "kind",
                "SubjectAccessReview",
                "metadata",
                Map.of(),
                "spec",
                spec));
    return Boolean.TRUE.equals(where.create(ACCESS_REVIEWS, review).at("status", "allowed"));
  }
}
