package dev.mooring.runtime.client;

import dev.mooring.model.object.KubeObject;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a page of a list says in addition to its objects.
 *
 * @param resourceVersion of the whole list
 * @param continueToken empty on the last page
 * @param apiVersion of those objects that do not say so themselves
 * @param kind likewise; empty if the page does not tell
 */
public record ListEnd(
    String resourceVersion, String continueToken, String apiVersion, String kind) {
  private static final String LIST = "List";

  /**
   * @param page with or without its items
   */
  public static ListEnd of(KubeObject page) {
    String kind = page.kind();
    return new ListEnd(
        page.resourceVersion(),
        page.text("metadata", "continue"),
        page.apiVersion(),
        kind.endsWith(LIST) ? kind.substring(0, kind.length() - LIST.length()) : "");
  }

  /** An object of this page with the type that servers leave out of the items of built-in types. */
  public KubeObject identified(KubeObject item) {
    Map<String, Object> tree = item.tree();
    if (tree.containsKey("kind") && tree.containsKey("apiVersion")) {
      return item;
    }
    var named = LinkedHashMap.<String, Object>newLinkedHashMap(tree.size() + 2);
    named.put("apiVersion", apiVersion);
    named.put("kind", kind);
    named.putAll(tree);
    return KubeObject.owning(Collections.unmodifiableMap(named));
  }
}
