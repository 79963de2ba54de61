package dev.mooring.sandbox.admission;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.WriteContext.Effect;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.Map;
import java.util.Optional;

/**
 * One write on its way to the store, in the served version.
 *
 * @param definition of the resource; its bucket's identity tells bound resources apart
 * @param namespace empty if none
 * @param name empty for a create by generateName and for the objects of a deletecollection
 * @param subresource empty if none
 * @param object absent for a delete
 * @param previous absent for a create
 * @param options the write's options as an object, such as {@code meta.k8s.io/v1 CreateOptions}
 */
public record AdmissionRequest(
    Operation operation,
    ResourceDefinition definition,
    LogicalCluster cluster,
    String namespace,
    String name,
    String subresource,
    UserInfo user,
    Optional<KubeObject> object,
    Optional<KubeObject> previous,
    Effect effect,
    Map<String, Object> options) {
  /** The operations that admission rules name. */
  public enum Operation {
    CREATE,
    UPDATE,
    DELETE,
    CONNECT
  }

  /** The same write of another object. */
  public AdmissionRequest withObject(KubeObject changed) {
    return new AdmissionRequest(
        operation,
        definition,
        cluster,
        namespace,
        name,
        subresource,
        user,
        Optional.of(changed),
        previous,
        effect,
        options);
  }

  /** The same write of an object that a client's own step of admission has changed. */
  public AdmissionRequest withCompleted(KubeObject changed) {
    return withObject(definition.strategy().applyDefaults(changed));
  }
}
