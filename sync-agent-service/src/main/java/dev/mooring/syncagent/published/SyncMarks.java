package dev.mooring.syncagent.published;

/**
 * Labels, annotations and finalizers on the wire. The first group is the Go agent's (kcp-dev/
 * api-syncagent), so that each finds what the other made; the second is ours and only adds.
 */
public final class SyncMarks {
  public static final String GROUP = "syncagent.kcp.io";

  /** On the source, as long as a copy may exist. */
  public static final String FINALIZER = "syncagent.kcp.io/cleanup";

  /** Label (and, on schemas and exports, annotation): which agent's object it is. */
  public static final String AGENT_NAME = "syncagent.kcp.io/agent-name";

  /** Label: logical cluster of the source, as it is. */
  public static final String SOURCE_CLUSTER = "syncagent.kcp.io/remote-object-cluster";

  /** Label: full SHA-1 of the source's namespace; absent for a cluster-scoped source. */
  public static final String SOURCE_NAMESPACE_HASH =
      "syncagent.kcp.io/remote-object-namespace-hash";

  /** Label: full SHA-1 of the source's name. */
  public static final String SOURCE_NAME_HASH = "syncagent.kcp.io/remote-object-name-hash";

  /** Annotation; absent for a cluster-scoped source. */
  public static final String SOURCE_NAMESPACE = "syncagent.kcp.io/remote-object-namespace";

  /** Annotation. */
  public static final String SOURCE_NAME = "syncagent.kcp.io/remote-object-name";

  /** Annotation, with {@code enableWorkspacePaths} only. */
  public static final String SOURCE_WORKSPACE_PATH =
      "syncagent.kcp.io/remote-object-workspace-path";

  /** Annotation of a schema: generation of the CRD that it was made from. */
  public static final String SOURCE_GENERATION = "syncagent.kcp.io/source-generation";

  /**
   * Prefix of annotations on the consumer's object: {@code <identifier>.<index>} names one related
   * object, as JSON.
   */
  public static final String RELATED_PREFIX = "related-resources.syncagent.kcp.io/";

  /** Label, value {@code true}, of Secrets that hold last-known states. */
  public static final String OBJECT_STATE = "syncagent.kcp.io/object-state";

  /** Annotation on a copy: the source's content as it was last written to the copy. */
  public static final String LAST_KNOWN_STATE = "syncagent.kcp.io/last-known-state";

  /** Annotation on a copy that existed before the agent took it on. */
  public static final String ADOPTED = "syncagent.kcp.io/adopted";

  /** Annotation on a source: no writes as long as it is there, unless its value is false. */
  public static final String PAUSED = "syncagent.kcp.io/paused";

  /** Annotation on a source, or on an original in kcp: see {@link DeletionPropagation}. */
  public static final String PROPAGATION = "syncagent.kcp.io/deletion-propagation-policy";

  /** Label on a Namespace of the service cluster that an agent made: that agent's name. */
  public static final String NAMESPACE_OF = "syncagent.kcp.io/namespace-of";

  /** Annotation on an APIExport, for catalogs. */
  public static final String SERVICE_TITLE = "syncagent.kcp.io/service-title";

  /** Annotation on an APIExport, for catalogs. */
  public static final String SERVICE_DESCRIPTION = "syncagent.kcp.io/service-description";

  /** Annotation on a PublishedResource: name of the schema whose breaking changes are accepted. */
  public static final String APPROVED_SCHEMA = "syncagent.kcp.io/approved-schema";

  private SyncMarks() {}
}
