package dev.mooring.cli.live;

import dev.mooring.model.identity.ResourceType;

/** Types that commands read and write, and those of the demo. */
public final class Types {
  public static final ResourceType WORKSPACES =
      new ResourceType("tenancy.kcp.io", "v1alpha1", "workspaces");
  public static final ResourceType SHARDS = new ResourceType("core.kcp.io", "v1alpha1", "shards");
  public static final ResourceType API_EXPORTS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apiexports");
  public static final ResourceType API_BINDINGS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");
  public static final ResourceType API_RESOURCE_SCHEMAS =
      new ResourceType("apis.kcp.io", "v1alpha1", "apiresourceschemas");
  public static final ResourceType ENDPOINT_SLICES =
      new ResourceType("apis.kcp.io", "v1alpha1", "apiexportendpointslices");
  public static final ResourceType LOGICAL_CLUSTERS =
      new ResourceType("core.kcp.io", "v1alpha1", "logicalclusters");
  public static final ResourceType CRDS =
      new ResourceType("apiextensions.k8s.io", "v1", "customresourcedefinitions");
  public static final ResourceType WEBHOOK_CONFIGURATIONS =
      new ResourceType("admissionregistration.k8s.io", "v1", "validatingwebhookconfigurations");
  public static final ResourceType SECRETS = ResourceType.core("secrets");
  public static final ResourceType NAMESPACES = ResourceType.core("namespaces");
  public static final ResourceType PUBLISHED_RESOURCES =
      new ResourceType("syncagent.kcp.io", "v1alpha1", "publishedresources");
  public static final ResourceType DEPENDENCY_RULES =
      new ResourceType("dependencies.opendefense.cloud", "v1alpha1", "dependencyrules");

  /** As consumers see it, in kcp. */
  public static final ResourceType CERTIFICATES =
      new ResourceType("certificates.example.corp", "v1", "certificates");

  /** As the service owner has it, on the service cluster. */
  public static final ResourceType SERVICE_CERTIFICATES =
      new ResourceType("pki.example.corp", "v1", "certificates");

  public static final ResourceType VPCS =
      new ResourceType("network.example.corp", "v1alpha1", "vpcs");
  public static final ResourceType SUBNETS =
      new ResourceType("network.example.corp", "v1alpha1", "subnets");
  public static final ResourceType VIRTUAL_MACHINES =
      new ResourceType("compute.example.corp", "v1alpha1", "virtualmachines");

  private Types() {}
}
