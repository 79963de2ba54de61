package dev.mooring.cli.manifest;

import dev.mooring.model.object.KubeObject;

/**
 * What one document of a YAML or JSON file holds.
 *
 * @see ManifestReader
 */
public sealed interface Manifest {
  /** As the user named it; {@code -} is standard input. */
  String file();

  /** An object. */
  record Parsed(String file, KubeObject object, FieldLines lines) implements Manifest {
    /** An object of a server; {@code file} is its URL. */
    public static Parsed ofServer(String url, KubeObject object) {
      return new Parsed(url, object, FieldLines.NONE);
    }

    /** Such as {@code PublishedResource/certificates}. */
    public String title() {
      return object.kind() + "/" + object.name();
    }

    /** Such as {@code apis.kcp.io} of {@code apis.kcp.io/v1alpha1}; empty for the core group. */
    public String group() {
      String version = object.apiVersion();
      int slash = version.indexOf('/');
      return slash < 0 ? "" : version.substring(0, slash);
    }
  }

  /**
   * Text that is no object; the rest of its file is not read.
   *
   * @param message what is wrong
   */
  record Malformed(String file, int line, String message) implements Manifest {}
}
