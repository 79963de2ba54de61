package dev.mooring.cli.live;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whole lists, read page by page. */
public final class Lists {
  private static final int PAGE = 500;

  private Lists() {}

  /**
   * As {@link #all}; empty if the server does not serve the type, or does not exist as a workspace.
   */
  public static Optional<List<KubeObject>> ifServed(
      KubeReader reader, ResourceType type, ListQuery query) {
    try {
      return Optional.of(all(reader, type, query));
    } catch (KubeFailure failure) {
      if (failure.isAbsent()) {
        return Optional.empty();
      }
      throw failure;
    }
  }

  /**
   * @throws KubeFailure if a page cannot be read
   */
  public static List<KubeObject> all(KubeReader reader, ResourceType type, ListQuery query) {
    var items = new ArrayList<KubeObject>();
    ListQuery next = query.withLimit(PAGE);
    while (true) {
      KubeList page = reader.list(type, next);
      items.addAll(page.items());
      if (page.continueToken().isEmpty()) {
        return items;
      }
      next = next.after(page.continueToken());
    }
  }
}
