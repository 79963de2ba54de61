package dev.mooring.sandbox.kcp;

import dev.mooring.sandbox.storage.Bucket;

/** Where kcp's own objects, and the built-in ones it makes, are stored. */
final class KcpBuckets {
  static final Bucket LOGICAL_CLUSTERS = Bucket.of("core.kcp.io", "logicalclusters");
  static final Bucket SHARDS = Bucket.of("core.kcp.io", "shards");
  static final Bucket WORKSPACES = Bucket.of("tenancy.kcp.io", "workspaces");
  static final Bucket WORKSPACE_TYPES = Bucket.of("tenancy.kcp.io", "workspacetypes");
  static final Bucket EXPORTS = Bucket.of("apis.kcp.io", "apiexports");
  static final Bucket BINDINGS = Bucket.of("apis.kcp.io", "apibindings");
  static final Bucket SCHEMAS = Bucket.of("apis.kcp.io", "apiresourceschemas");
  static final Bucket SLICES = Bucket.of("apis.kcp.io", "apiexportendpointslices");
  static final Bucket CRDS = Bucket.of("apiextensions.k8s.io", "customresourcedefinitions");
  static final Bucket SECRETS = Bucket.of("", "secrets");
  static final Bucket NAMESPACES = Bucket.of("", "namespaces");
  static final Bucket ROLE_BINDINGS = Bucket.of("rbac.authorization.k8s.io", "clusterrolebindings");

  private KcpBuckets() {}
}
