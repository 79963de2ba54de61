package dev.mooring.syncagent.published;

/**
 * Where copies go.
 *
 * @param namespace not used where the copy is cluster-scoped
 */
public record Naming(NamePattern namespace, NamePattern name, NamespaceMetadata namespaceMetadata) {
  public static final Naming DEFAULT =
      new Naming(NamePattern.DEFAULT_NAMESPACE, NamePattern.DEFAULT_NAME, NamespaceMetadata.NONE);
}
