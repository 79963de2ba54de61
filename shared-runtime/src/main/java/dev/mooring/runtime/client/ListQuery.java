package dev.mooring.runtime.client;

/**
 * Which objects of a type, and how many at once.
 *
 * @param namespace empty for all
 * @param labelSelector empty for all objects
 * @param fieldSelector empty for all objects
 * @param limit the most items of one page; 0 for all at once
 * @param continueToken of the page before; empty for the first page
 */
public record ListQuery(
    String namespace, String labelSelector, String fieldSelector, int limit, String continueToken) {
  /** Everything the cluster has, in one answer. */
  public static final ListQuery ALL = new ListQuery("", "", "", 0, "");

  public ListQuery {
    if (limit < 0) {
      throw new IllegalArgumentException("a limit is not negative: " + limit);
    }
  }

  public ListQuery inNamespace(String inNamespace) {
    return new ListQuery(inNamespace, labelSelector, fieldSelector, limit, continueToken);
  }

  public ListQuery withLabels(String selector) {
    return new ListQuery(namespace, selector, fieldSelector, limit, continueToken);
  }

  public ListQuery withFields(String selector) {
    return new ListQuery(namespace, labelSelector, selector, limit, continueToken);
  }

  public ListQuery withLimit(int pageSize) {
    return new ListQuery(namespace, labelSelector, fieldSelector, pageSize, continueToken);
  }

  public ListQuery after(String token) {
    return new ListQuery(namespace, labelSelector, fieldSelector, limit, token);
  }
}
