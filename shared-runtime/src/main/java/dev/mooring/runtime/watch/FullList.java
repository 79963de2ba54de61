package dev.mooring.runtime.watch;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.ListQuery;
import java.util.ArrayList;
import java.util.List;

/** Reads all pages of a list; the cache changes only once all have come. */
final class FullList {
  /** What kubectl and client-go ask for, too: small enough not to hold up the server. */
  static final int PAGE_ITEMS = 500;

  private final KubeClient client;
  private final InformerSpec spec;

  FullList(KubeClient client, InformerSpec spec) {
    this.client = client;
    this.spec = spec;
  }

  /** The version from which to watch. */
  String readInto(CacheUpdates updates) {
    var items = new ArrayList<KubeObject>();
    String version;
    try {
      version = pages(updates, items, query(PAGE_ITEMS));
    } catch (KubeFailure e) {
      if (e.kind() != Kind.GONE) {
        throw e;
      }
      // The list was changing faster than its pages could be read: take it whole.
      items.clear();
      version = pages(updates, items, query(0));
    }
    updates.replace(items);
    return version;
  }

  private String pages(CacheUpdates updates, List<KubeObject> items, ListQuery first) {
    ListQuery query = first;
    while (true) {
      KubeList page = client.list(spec.type(), query);
      page.items().forEach(item -> items.add(updates.trimmed(item)));
      if (page.continueToken().isEmpty()) {
        return page.resourceVersion();
      }
      query = query.after(page.continueToken());
    }
  }

  private ListQuery query(int limit) {
    return ListQuery.ALL
        .inNamespace(spec.namespace())
        .withLabels(spec.labelSelector())
        .withFields(spec.fieldSelector())
        .withLimit(limit);
  }
}
