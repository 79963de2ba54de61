package dev.mooring.runtime.client;

import dev.mooring.model.object.KubeObject;
import java.util.List;

/**
 * One page of a list.
 *
 * @param resourceVersion of the whole list: where a watch may start
 * @param continueToken empty on the last page
 */
public record KubeList(List<KubeObject> items, String resourceVersion, String continueToken) {
  public KubeList {
    items = List.copyOf(items);
  }
}
