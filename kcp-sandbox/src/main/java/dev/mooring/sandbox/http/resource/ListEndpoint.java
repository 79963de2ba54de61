package dev.mooring.sandbox.http.resource;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceDefinition.Origin;
import dev.mooring.sandbox.api.request.RequestScope;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.fault.Fault;
import dev.mooring.sandbox.http.exchange.AcceptHeader;
import dev.mooring.sandbox.http.exchange.Exchange;
import dev.mooring.sandbox.http.render.ObjectRenderer;
import dev.mooring.sandbox.http.render.TableRenderer;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoreList;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.storage.VersionExpired;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;

/** Lists: selectors, pages, versions. */
record ListEndpoint(ResourceStore store, ObjectRenderer rendering) {
  /** How far a stale list is behind: a few writes of one client. */
  private static final long STALE_VERSIONS = 20;

  void answer(Exchange exchange, RequestScope view, ResourceDefinition definition, ListScope scope)
      throws IOException {
    AcceptHeader accepted = ObjectRenderer.accepted(definition, exchange.header(HttpHeader.ACCEPT));
    ListQuery query = ListQuery.of(exchange, definition, false);
    Page page =
        view.objects(definition)
            .map(shown -> new Page(shown, "", 0, 0))
            .orElseGet(() -> page(exchange, view, definition, scope, query));
    byte[] body =
        rendering.list(
            definition,
            page.items(),
            page.metadata(definition, query, accepted),
            accepted,
            TableRenderer.included(accepted, exchange.query("includeObject")));
    exchange.answerObject(200, accepted.format(), body);
  }

  /**
   * One page, and where the next one starts; the token is empty at the end.
   *
   * @param version of the list
   */
  record Page(List<StoredObject> items, String next, long remaining, long version) {
    Map<String, Object> metadata(
        ResourceDefinition definition, ListQuery query, AcceptHeader accepted) {
      var metadata = new LinkedHashMap<String, Object>();
      // Kubernetes' own types leave out what is empty.
      boolean typed =
          definition.origin() == Origin.BUILT_IN || accepted.form() != AcceptHeader.Form.OBJECT;
      if (!typed || !next.isEmpty()) {
        metadata.put("continue", next);
      }
      if (!next.isEmpty() && query.selectsEverything()) {
        metadata.put("remainingItemCount", remaining);
      }
      metadata.put("resourceVersion", Long.toString(version));
      return metadata;
    }
  }

  Page page(
      Exchange exchange,
      RequestScope view,
      ResourceDefinition definition,
      ListScope scope,
      ListQuery query) {
    return page(view, definition, read(exchange, scope, query), query);
  }

  private StoreList read(Exchange exchange, ListScope scope, ListQuery query) {
    try {
      if (!query.continueToken().isEmpty()) {
        if (exchange.injected(Fault.EXPIRED)) {
          throw new VersionExpired(ContinueToken.of(query.continueToken()).version(), 0);
        }
        // A token without a version goes on with what there is now.
        long version = ContinueToken.of(query.continueToken()).version();
        return version < 0 ? store.list(scope) : store.listAt(scope, version);
      }
      if (query.version().isPresent()) {
        long version = query.version().getAsLong();
        requireNotAhead(version, store.version());
        boolean pagedSnapshot = query.match().isEmpty() && query.limit() > 0 && version > 0;
        if (query.exact() || pagedSnapshot) {
          return store.listAt(scope, version);
        }
        if (exchange.injected(Fault.STALE_LIST)) {
          return stale(scope, version);
        }
      }
      return store.list(scope);
    } catch (VersionExpired expired) {
      throw ApiFailure.expired(
          query.continueToken().isEmpty()
              ? String.valueOf(expired.getMessage())
              : "The provided continue parameter is too old to display a consistent list result."
                  + " You can start a new list without the continue parameter.");
    }
  }

  /** As it was at the oldest version asked for that is still known. */
  private StoreList stale(ListScope scope, long asked) {
    try {
      return store.listAt(scope, Math.max(asked, store.version() - STALE_VERSIONS));
    } catch (VersionExpired forgotten) {
      return store.list(scope);
    }
  }

  static void requireNotAhead(long asked, long current) {
    if (Long.compareUnsigned(asked, current) > 0) {
      var details = new LinkedHashMap<String, Object>();
      details.put(
          "causes",
          List.of(
              Map.of(
                  "reason", "ResourceVersionTooLarge", "message", "Too large resource version")));
      details.put("retryAfterSeconds", 1L);
      throw ApiFailure.of(
          504,
          "Timeout",
          "Timeout: Too large resource version: %s, current: %s"
              .formatted(Long.toUnsignedString(asked), current),
          details);
    }
  }

  private static Page page(
      RequestScope view, ResourceDefinition definition, StoreList list, ListQuery query) {
    var items = new ArrayList<StoredObject>();
    ObjectKey after =
        query.continueToken().isEmpty() ? null : ContinueToken.of(query.continueToken()).after();
    // As from Kubernetes' cache, which has no pages.
    long limit = query.version().orElse(1) == 0 ? 0 : query.limit();
    long remaining = 0;
    ObjectKey last = null;
    for (StoredObject object : list.items()) {
      ObjectKey key = object.key().objectKey();
      if (after != null && key.compareTo(after) <= 0
          || !isVisible(view, definition, object, query)) {
        continue;
      }
      if (limit > 0 && items.size() >= limit) {
        remaining++;
      } else {
        items.add(object);
        last = key;
      }
    }
    String next =
        remaining == 0 || last == null ? "" : new ContinueToken(list.version(), last).text();
    return new Page(items, next, remaining, list.version());
  }

  static boolean isVisible(
      RequestScope view, ResourceDefinition definition, StoredObject object, ListQuery query) {
    return definition.resourceKey().covers(object.key().resourceKey())
        && (query.selectsEverything() || query.selects(definition, object))
        && view.isVisible(definition, object);
  }
}
