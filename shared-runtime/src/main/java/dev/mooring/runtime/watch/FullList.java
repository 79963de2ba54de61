package dev.mooring.runtime.watch;

import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.client.ListEnd;
import dev.mooring.runtime.client.ListQuery;
import java.util.ArrayList;
import java.util.List;

/** Reads a list to its end; the cache changes only once all of it has come. */
final class FullList {
  /** What kubectl asks for, too: read in less time than a server gives a request. */
  static final int PAGE_ITEMS = 500;

  private final KubeClient client;
  private final InformerSpec spec;

  FullList(KubeClient client, InformerSpec spec) {
    this.client = client;
    this.spec = spec;
  }

  /**
   * In one, as it comes in: a server has that in memory, and reads what follows a first page from
   * its storage.
   *
   * @return the version from which to watch
   * @throws CacheUpdates.CacheFull if there is no room for all of it; it is then not read to its
   *     end
   */
  String readInto(CacheUpdates updates) {
    var items = new ArrayList<KubeObject>();
    try {
      String version = read(updates, items);
      updates.replace(items);
      return version;
    } catch (RuntimeException | Error e) {
      updates.dismiss(items);
      throw e;
    }
  }

  private String read(CacheUpdates updates, List<KubeObject> items) {
    try {
      return read(updates, items, spec.query());
    } catch (KubeFailure e) {
      if (e.kind() != Kind.UNAVAILABLE || items.isEmpty()) {
        throw e;
      }
      // It broke off on the way: it may be longer than can be sent while a request may take.
      updates.dismiss(items);
      items.clear();
      return read(updates, items, spec.query().withLimit(PAGE_ITEMS));
    }
  }

  /** All pages. */
  private String read(CacheUpdates updates, List<KubeObject> items, ListQuery first) {
    ListQuery query = first;
    while (true) {
      int before = items.size();
      ListEnd end =
          client
              .scan(spec.type(), query, FieldMask.ALL, item -> items.add(updates.admitted(item)))
              .orElseThrow();
      items
          .subList(before, items.size())
          // Other caches may be filled by now, for what is kept to share with.
          .replaceAll(item -> updates.holds(item) ? item : end.identified(spec.kept().apply(item)));
      if (end.continueToken().isEmpty()) {
        return end.resourceVersion();
      }
      query = query.after(end.continueToken());
    }
  }
}
