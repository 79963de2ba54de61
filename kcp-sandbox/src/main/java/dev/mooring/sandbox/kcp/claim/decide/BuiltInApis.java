package dev.mooring.sandbox.kcp.claim.decide;

import java.util.Set;

/**
 * The types that kcp serves in every workspace, so that a claim to them needs no identity. Any
 * other type belongs to an export, which only an identity names.
 */
public final class BuiltInApis {
  private static final String EXPORTS_GROUP = "apis.kcp.io";
  private static final Set<String> RESOURCES =
      Set.of(
          "namespaces.",
          "configmaps.",
          "events.",
          "resourcequotas.",
          "secrets.",
          "serviceaccounts.",
          "clusterroles.rbac.authorization.k8s.io",
          "clusterrolebindings.rbac.authorization.k8s.io",
          "roles.rbac.authorization.k8s.io",
          "rolebindings.rbac.authorization.k8s.io",
          "certificatesigningrequests.certificates.k8s.io",
          "leases.coordination.k8s.io",
          "mutatingwebhookconfigurations.admissionregistration.k8s.io",
          "validatingwebhookconfigurations.admissionregistration.k8s.io",
          "mutatingadmissionpolicies.admissionregistration.k8s.io",
          "mutatingadmissionpolicybindings.admissionregistration.k8s.io",
          "validatingadmissionpolicies.admissionregistration.k8s.io",
          "validatingadmissionpolicybindings.admissionregistration.k8s.io",
          "events.events.k8s.io",
          "customresourcedefinitions.apiextensions.k8s.io",
          "logicalclusters.core.kcp.io",
          "subjectaccessreviews.authorization.k8s.io",
          "localsubjectaccessreviews.authorization.k8s.io");

  /** The groups of the exports of root, whose types a new workspace is bound to. */
  private static final Set<String> EXPORTED = Set.of("tenancy.kcp.io", "topology.kcp.io");

  private BuiltInApis() {}

  /** Whether kcp offers the group by an export of root, so that a claim needs its identity. */
  public static boolean isExported(String group) {
    return EXPORTED.contains(group);
  }

  /** Whether a claim may name the resource without an identity. */
  public static boolean contain(ClaimedResource claimed) {
    return claimed.group().equals(EXPORTS_GROUP) || RESOURCES.contains(claimed.described());
  }
}
