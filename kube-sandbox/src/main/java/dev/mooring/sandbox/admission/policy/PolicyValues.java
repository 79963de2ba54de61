package dev.mooring.sandbox.admission.policy;

import dev.cel.common.values.NullValue;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.match.AdmissionVariables;
import dev.mooring.sandbox.admission.match.VersionedRequest;
import dev.mooring.sandbox.security.authorization.Authorizer;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The values of a policy's environment, without its variables. */
final class PolicyValues {
  private PolicyValues() {}

  /**
   * @param param as CEL value; null for none
   * @param namespace the write's Namespace; empty if it has none
   */
  static Map<String, Object> of(
      VersionedRequest write, Object param, Authorizer authorizer, Optional<KubeObject> namespace) {
    Map<String, Object> values = write.variables(authorizer);
    values.put(AdmissionVariables.PARAMS, param);
    values.put(
        AdmissionVariables.NAMESPACE,
        namespace.<Object>map(PolicyValues::visible).orElse(NullValue.NULL_VALUE));
    return values;
  }

  /** Kubernetes asks match conditions before it has looked for the Namespace. */
  static Map<String, Object> forConditions(Map<String, Object> values) {
    if (values.get(AdmissionVariables.NAMESPACE) == NullValue.NULL_VALUE) {
      return values;
    }
    var early = new HashMap<>(values);
    early.put(AdmissionVariables.NAMESPACE, Map.of());
    return early;
  }

  /** Without managed fields and owners. */
  private static Map<String, Object> visible(KubeObject namespace) {
    var metadata = new LinkedHashMap<>(namespace.map("metadata"));
    metadata.remove("managedFields");
    metadata.remove("ownerReferences");
    var tree = new LinkedHashMap<>(namespace.tree());
    tree.put("metadata", metadata);
    return tree;
  }
}
