package dev.mooring.sandbox.kcp.object.decide;

import java.util.List;

/** Annotations, labels, finalizers and fixed names of kcp's own objects. */
public final class KcpNames {
  /** The canonical path of the workspace that holds an object. */
  public static final String PATH = "kcp.io/path";

  /** On a LogicalCluster: its type as {@code path:name}. */
  public static final String TYPE = "internal.tenancy.kcp.io/type";

  /** On a Workspace and its LogicalCluster: who made it, as JSON. */
  public static final String OWNER = "experimental.tenancy.kcp.io/owner";

  /**
   * On a Workspace and its LogicalCluster: groups of which users must be members, as alternatives
   * separated by semicolons, each a list separated by commas.
   */
  public static final String REQUIRED_GROUPS = "authorization.kcp.io/required-groups";

  /** On a Workspace: the name chosen for its logical cluster. */
  public static final String CHOSEN_CLUSTER = "internal.tenancy.kcp.io/cluster";

  /** On a Workspace: the hash of the name of the shard chosen. */
  public static final String CHOSEN_SHARD = "internal.tenancy.kcp.io/shard";

  public static final String SHARD = "core.kcp.io/shard";

  /** On a Workspace and a LogicalCluster: the phase, one write behind. */
  public static final String PHASE = "tenancy.kcp.io/phase";

  /** On a LogicalCluster: which binding owns which resource, as JSON. */
  public static final String RESOURCE_BINDINGS = "internal.apis.kcp.io/resource-bindings";

  /** On an APIBinding: the hash of the export it refers to. */
  public static final String BOUND_EXPORT = "internal.apis.kcp.io/export";

  /** Prefix of the label on a claimed object; the hash of the export follows. */
  public static final String CLAIMED_PREFIX = "claimed.internal.apis.kcp.io/";

  public static final String WORKSPACE_FINALIZER = "core.kcp.io/logicalcluster";
  public static final String CLUSTER_FINALIZER = "core.kcp.io/logicalcluster-deletion";

  /** On a LogicalCluster whose status lists terminators. */
  public static final String TERMINATOR_FINALIZER = "kcp.io/has-terminators";

  public static final String BINDING_FINALIZER = "apis.kcp.io/apibinding-finalizer";

  /**
   * On a LogicalCluster: {@code "true"} puts it to rest. The second one is kcp's former name for
   * it.
   */
  public static final List<String> INACTIVE =
      List.of("core.kcp.io/inactive", "internal.kcp.io/inactive");

  /** The one name a LogicalCluster may have. */
  public static final String CLUSTER_OBJECT = "cluster";

  /** The initializer of the type that every other type extends. */
  public static final String CONTENT_INITIALIZER = "root:universal";

  /** The initializer that stands for a type's default APIBindings. */
  public static final String BINDINGS_INITIALIZER = "system:apibindings";

  /** The namespace of identity secrets. */
  public static final String IDENTITY_NAMESPACE = "kcp-system";

  /** The annotation of an APIExport that gets no endpoint slice of its own. */
  public static final String SKIP_SLICE = "apiexports.apis.kcp.io/skip-endpointslice";

  private KcpNames() {}
}
