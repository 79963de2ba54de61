package dev.mooring.runtime.client;

/**
 * Which objects of a type, how many at once, and how much of each.
 *
 * @param namespace empty for all
 * @param labelSelector empty for all objects
 * @param fieldSelector empty for all objects
 * @param limit the most items of one page; 0 for all at once
 * @param continueToken of the page before; empty for the first page
 * @param parts what the server is asked to send
 */
public record ListQuery(
    String namespace,
    String labelSelector,
    String fieldSelector,
    int limit,
    String continueToken,
    Parts parts) {
  /** How much of each object a scan is to show; {@link KubeReader#list} has all of it. */
  public enum Parts {
    WHOLE("application/json"),

    /**
     * Its metadata, as a PartialObjectMetadata that does not say what type it is of; from a server
     * that knows no such thing the whole object.
     */
    METADATA("application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json");

    private final String accepted;

    Parts(String accepted) {
      this.accepted = accepted;
    }

    /** For the Accept header. */
    public String accepted() {
      return accepted;
    }
  }

  /** Everything the cluster has, in one answer. */
  public static final ListQuery ALL = new ListQuery("", "", "", 0, "", Parts.WHOLE);

  public ListQuery {
    if (limit < 0) {
      throw new IllegalArgumentException("a limit is not negative: " + limit);
    }
  }

  public ListQuery inNamespace(String inNamespace) {
    return new ListQuery(inNamespace, labelSelector, fieldSelector, limit, continueToken, parts);
  }

  public ListQuery withLabels(String selector) {
    return new ListQuery(namespace, selector, fieldSelector, limit, continueToken, parts);
  }

  public ListQuery withFields(String selector) {
    return new ListQuery(namespace, labelSelector, selector, limit, continueToken, parts);
  }

  public ListQuery withLimit(int pageSize) {
    return new ListQuery(namespace, labelSelector, fieldSelector, pageSize, continueToken, parts);
  }

  public ListQuery after(String token) {
    return new ListQuery(namespace, labelSelector, fieldSelector, limit, token, parts);
  }

  public ListQuery withParts(Parts wanted) {
    return new ListQuery(namespace, labelSelector, fieldSelector, limit, continueToken, wanted);
  }
}
