package dev.mooring.runtime.access;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Asks a workspace which of the rights that a service needs there its user lacks. */
public final class RightsReviewer {
  private static final ResourceType ACCESS_REVIEWS =
      new ResourceType("authorization.k8s.io", "v1", "selfsubjectaccessreviews");
  private static final ResourceType USER_REVIEWS =
      new ResourceType("authentication.k8s.io", "v1", "selfsubjectreviews");

  private RightsReviewer() {}

  /**
   * One right.
   *
   * @param resource such as {@code apiexports} or {@code apiexports/content}
   * @param namespace empty for all, and for what is in none
   * @param name of one object; empty for all
   */
  public record Right(String verb, String group, String resource, String namespace, String name) {

    /** In no namespace, and for all objects. */
    public static Right to(String verb, String group, String resource) {
      return new Right(verb, group, resource, "", "");
    }

    private Map<String, Object> attributes() {
      String[] parts = resource.split("/", 2);
      var attributes = Trees.ordered("verb", verb, "group", group, "resource", parts[0]);
      Trees.putUnlessEmpty(attributes, "subresource", parts.length > 1 ? parts[1] : "");
      Trees.putUnlessEmpty(attributes, "namespace", namespace);
      Trees.putUnlessEmpty(attributes, "name", name);
      return attributes;
    }

    private String text() {
      return verb
          + " "
          + resource
          + (group.isEmpty() ? "" : "." + group)
          + (name.isEmpty() ? "" : " " + name)
          + (namespace.isEmpty() ? "" : " in namespace " + namespace);
    }
  }

  /**
   * What is needed in one place.
   *
   * @param place as a person knows it, such as a workspace's path
   * @param manifest that grants it
   */
  public record Need(String place, KubeClient where, List<Right> rights, String manifest) {
    public Need {
      rights = List.copyOf(rights);
    }
  }

  /**
   * What to grant, in one sentence; empty if nothing is missing.
   *
   * @throws KubeFailure if the workspace could not say
   */
  public static Optional<String> missing(Need need) {
    var missing = new ArrayList<String>();
    for (Right right : need.rights()) {
      try {
        if (!allowed(need.where(), right)) {
          missing.add(right.text());
        }
      } catch (KubeFailure failure) {
        if (failure.kind() != KubeFailure.Kind.FORBIDDEN) {
          throw failure;
        }
        // Every user who may enter a workspace may ask it this.
        return Optional.of(sentence(need, failure.deniedUser(), "access / (the workspace itself)"));
      }
    }
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(sentence(need, caller(need.where()), String.join(", ", missing)));
  }

  private static String sentence(Need need, Optional<String> caller, String what) {
    return "let %s %s in %s (%s)"
        .formatted(caller.orElse("this service's user"), what, need.place(), need.manifest());
  }

  /**
   * Whether the client's user has the right.
   *
   * @throws KubeFailure if the cluster could not say
   */
  public static boolean allowed(KubeClient where, Right right) {
    KubeObject review =
        PermissionReviewer.review(
            where,
            ACCESS_REVIEWS,
            "SelfSubjectAccessReview",
            Map.of("resourceAttributes", right.attributes()));
    return Boolean.TRUE.equals(review.at("status", "allowed"));
  }

  /** As the workspace knows the user. */
  private static Optional<String> caller(KubeClient where) {
    try {
      KubeObject review =
          where.create(
              USER_REVIEWS,
              KubeObject.of(
                  Map.of(
                      "apiVersion", USER_REVIEWS.apiVersion(),
                      "kind", "SelfSubjectReview",
                      "metadata", Map.of())));
      return Optional.of(review.text("status", "userInfo", "username"))
          .filter(name -> !name.isEmpty())
          .map(name -> "user \"" + name + "\"");
    } catch (KubeFailure failure) {
      return failure.deniedUser();
    }
  }
}
