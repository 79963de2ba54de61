package dev.mooring.sandbox.admission.match;

import dev.cel.common.values.NullValue;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.Subresource;
import dev.mooring.sandbox.api.registry.WriteContext.Effect;
import dev.mooring.sandbox.cel.library.UserPermissions;
import dev.mooring.sandbox.security.authorization.Authorizer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A write as a webhook or policy gets to see it.
 *
 * @param seen the resource in the version that the matching rule names; the request's own unless
 *     the match was by an equivalent version
 */
public record VersionedRequest(AdmissionRequest request, ResourceDefinition seen) {
  /** In the version seen; absent for a delete. */
  public Optional<KubeObject> object() {
    return request.object().map(this::converted);
  }

  /** In the version seen; absent for a create. */
  public Optional<KubeObject> previous() {
    return request.previous().map(this::converted);
  }

  private KubeObject converted(KubeObject object) {
    return seen.type().equals(request.definition().type())
        ? object
        : seen.converter().toServed(request.definition().converter().toStorage(object));
  }

  /** Back from the version seen to that of the request. */
  public KubeObject inRequestVersion(KubeObject object) {
    return seen.type().equals(request.definition().type())
        ? object
        : request.definition().converter().toServed(seen.converter().toStorage(object));
  }

  /** The values of {@link AdmissionVariables#MESSAGE}, without a Namespace. */
  public Map<String, Object> variables() {
    var variables = new HashMap<String, Object>();
    variables.put(AdmissionVariables.OBJECT, celValue(object().map(this::unplaced)));
    variables.put(AdmissionVariables.OLD_OBJECT, celValue(previous()));
    Map<String, Object> tree = requestTree("");
    // Expressions have both as variables of their own.
    tree.remove("object");
    tree.remove("oldObject");
    tree.values().removeIf(java.util.Objects::isNull);
    variables.put(AdmissionVariables.REQUEST, tree);
    variables.put(AdmissionVariables.NAMESPACE, NullValue.NULL_VALUE);
    return variables;
  }

  /**
   * As {@link #variables()}, with those of {@link AdmissionVariables#withAuthorizer}.
   *
   * @param authorizer answers the expressions' questions
   */
  public Map<String, Object> variables(Authorizer authorizer) {
    Map<String, Object> variables = variables();
    var permissions = new UserPermissions(request.user(), authorizer);
    ResourceType type = request.definition().type();
    variables.put(AdmissionVariables.AUTHORIZER, permissions);
    variables.put(
        AdmissionVariables.REQUEST_RESOURCE,
        permissions.resource(
            type.group(),
            type.resource(),
            request.subresource(),
            MatchCriteria.namespaceFor(request),
            name()));
    return variables;
  }

  /** A new object gets its logical cluster only when it is stored. */
  private KubeObject unplaced(KubeObject object) {
    if (request.operation() != Operation.CREATE) {
      return object;
    }
    KubeObject bare = object.without("metadata", "annotations", LogicalCluster.ANNOTATION);
    return bare.map("metadata", "annotations").isEmpty()
        ? bare.without("metadata", "annotations")
        : bare;
  }

  private static Object celValue(Optional<KubeObject> object) {
    return object.<Object>map(KubeObject::tree).orElse(NullValue.NULL_VALUE);
  }

  /** The {@code request} of an AdmissionReview, in the order in which the API server writes it. */
  public Map<String, Object> requestTree(String uid) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("uid", uid);
    tree.put("kind", kind(seen, request.subresource()));
    tree.put("resource", resource(seen.type()));
    Trees.putUnlessEmpty(tree, "subResource", request.subresource());
    tree.put("requestKind", kind(request.definition(), request.subresource()));
    tree.put("requestResource", resource(request.definition().type()));
    Trees.putUnlessEmpty(tree, "requestSubResource", request.subresource());
    Trees.putUnlessEmpty(tree, "name", name());
    Trees.putUnlessEmpty(tree, "namespace", MatchCriteria.namespaceFor(request));
    tree.put("operation", request.operation().name());
    tree.put("userInfo", request.user().toTree());
    tree.put("object", object().map(this::located).map(KubeObject::tree).orElse(null));
    tree.put("oldObject", previous().map(this::located).map(KubeObject::tree).orElse(null));
    tree.put("dryRun", request.effect() == Effect.DRY_RUN);
    tree.put("options", request.options().isEmpty() ? null : request.options());
    return tree;
  }

  /** With the annotation that names its logical cluster; unchanged where there is none. */
  public KubeObject located(KubeObject object) {
    LogicalCluster cluster = request.cluster();
    return cluster.equals(LogicalCluster.NONE) || object.at("metadata") == null
        ? object
        : object.with(cluster.name(), "metadata", "annotations", LogicalCluster.ANNOTATION);
  }

  /**
   * A create by generateName has its name by now; the objects of a deletecollection go without one.
   */
  public String name() {
    return request.name().isEmpty() && request.operation() == Operation.CREATE
        ? request.object().map(KubeObject::name).orElse("")
        : request.name();
  }

  private static Map<String, Object> kind(ResourceDefinition definition, String subresource) {
    if (definition.subresources().get(subresource) instanceof Subresource.Action(var posted)) {
      return kind(posted, "");
    }
    boolean scale = subresource.equals("scale");
    return Trees.ordered(
        "group", scale ? "autoscaling" : definition.type().group(),
        "version", scale ? "v1" : definition.type().version(),
        "kind", scale ? "Scale" : definition.kind());
  }

  private static Map<String, Object> resource(ResourceType type) {
    return Trees.ordered(
        "group", type.group(),
        "version", type.version(),
        "resource", type.resource());
  }
}
