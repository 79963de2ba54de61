package dev.mooring.sandbox.http.resource;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.KubernetesGroups;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceDefinition.Origin;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.fault.Fault;
import dev.mooring.sandbox.http.exchange.AcceptHeader;
import dev.mooring.sandbox.http.exchange.Body;
import dev.mooring.sandbox.http.exchange.Exchange;
import dev.mooring.sandbox.storage.ListScope;
import dev.mooring.sandbox.storage.ResourceStore;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.storage.VersionExpired;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Lists: selectors, pages, versions. */
record ListEndpoint(ResourceStore store, Clock clock) {
  /** How far a stale list is behind: a few writes of one client. */
  private static final long STALE_VERSIONS = 20;

  void answer(ResourceEndpoint.Call call, ListScope scope) throws IOException {
    ObjectRenderer rendering = ObjectRenderer.of(call, clock);
    ListQuery query = ListQuery.of(call.exchange(), call.definition(), false);
    Page page =
        call.view()
            .objects(call.definition())
            .map(shown -> new Page(shown, "", 0, 0))
            .orElseGet(() -> page(call, scope, query));
    Body body = rendering.list(page.items(), page.metadata(query, rendering));
    call.exchange().answerList(rendering.format(), body);
  }

  /**
   * One page, and where the next one starts; the token is empty at the end.
   *
   * @param version of the list
   */
  record Page(List<StoredObject> items, String next, long remaining, long version) {
    Map<String, Object> metadata(ListQuery query, ObjectRenderer rendering) {
      ResourceDefinition definition = rendering.definition();
      var metadata = new LinkedHashMap<String, Object>();
      // Kubernetes' own types leave out what is empty.
      boolean typed =
          definition.origin() == Origin.BUILT_IN
              || rendering.call().view().forwards()
                  && KubernetesGroups.contains(definition.type().group())
              || rendering.accepted().form() != AcceptHeader.Form.OBJECT;
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

  Page page(ResourceEndpoint.Call call, ListScope scope, ListQuery query) {
    Optional<ContinueToken> token =
        Optional.of(query.continueToken()).filter(text -> !text.isEmpty()).map(ContinueToken::of);
    Optional<ObjectKey> after = token.map(ContinueToken::after);
    ResourceStore.Reader<Page> reader =
        (version, objects) ->
            page(
                call,
                version,
                objects,
                query,
                token.map(ContinueToken::left).orElseGet(OptionalLong::empty));
    try {
      return store.read(scope, version(call.exchange(), scope, query, token), after, reader);
    } catch (VersionExpired expired) {
      throw token
          .map(ContinueToken::expired)
          .orElseGet(() -> ApiFailure.expired(String.valueOf(expired.getMessage())));
    }
  }

  /** As of which the list is read; empty for now. Throws {@link VersionExpired}. */
  private OptionalLong version(
      Exchange exchange, ListScope scope, ListQuery query, Optional<ContinueToken> token) {
    if (token.isPresent()) {
      long version = token.get().version();
      if (exchange.injected(Fault.EXPIRED)) {
        throw new VersionExpired(version, 0);
      }
      requireNotAhead(Math.max(version, 0), store.version());
      // A token without a version goes on with what there is now.
      return version < 0 ? OptionalLong.empty() : OptionalLong.of(version);
    }
    if (query.version().isPresent()) {
      long version = query.version().getAsLong();
      requireNotAhead(version, store.version());
      boolean pagedSnapshot = query.match().isEmpty() && query.limit() > 0 && version > 0;
      if (query.exact() || pagedSnapshot) {
        return query.version();
      }
      if (exchange.injected(Fault.STALE_LIST)) {
        return stale(scope, Math.max(version, store.version() - STALE_VERSIONS));
      }
    }
    return OptionalLong.empty();
  }

  /** The version, if it is still known. */
  private OptionalLong stale(ListScope scope, long version) {
    try {
      return OptionalLong.of(
          store.read(scope, OptionalLong.of(version), Optional.empty(), (known, _) -> known));
    } catch (VersionExpired forgotten) {
      return OptionalLong.empty();
    }
  }

  static void requireNotAhead(long asked, long current) {
    if (Long.compareUnsigned(asked, current) > 0) {
      Object cause = ApiFailure.cause("ResourceVersionTooLarge", "Too large resource version", "");
      throw ApiFailure.of(
          504,
          "Timeout",
          "Timeout: Too large resource version: %s, current: %s"
              .formatted(Long.toUnsignedString(asked), current),
          Trees.ordered("causes", List.of(cause), "retryAfterSeconds", 1L));
    }
  }

  /**
   * @param left how many objects an earlier page counted; empty if this one has to count them
   */
  private static Page page(
      ResourceEndpoint.Call call,
      long version,
      Iterable<StoredObject> objects,
      ListQuery query,
      OptionalLong left) {
    var items = new ArrayList<StoredObject>();
    // As from Kubernetes' cache, which has no pages.
    long limit = query.version().orElse(1) == 0 ? 0 : query.limit();
    long remaining = 0;
    for (StoredObject object : objects) {
      if (!call.definition().resourceKey().covers(object.key().resourceKey())) {
        continue;
      }
      boolean full = limit > 0 && items.size() == limit;
      if (full && !query.selectsEverything()) {
        // As etcd says, which knows no selectors. Only lists of everything say how many are left.
        remaining = 1;
        break;
      }
      if (!isVisible(call, object, query)) {
        continue;
      }
      if (!full) {
        items.add(object);
      } else if (left.isPresent()) {
        remaining = Math.max(1, left.getAsLong() - items.size());
        break;
      } else {
        remaining++;
      }
    }
    String next =
        remaining == 0
            ? ""
            : new ContinueToken(
                    version,
                    items.getLast().key().objectKey(),
                    query.selectsEverything() ? OptionalLong.of(remaining) : OptionalLong.empty())
                .text();
    return new Page(items, next, remaining, version);
  }

  static boolean isVisible(ResourceEndpoint.Call call, StoredObject object, ListQuery query) {
    ResourceDefinition definition = call.definition();
    return definition.resourceKey().covers(object.key().resourceKey())
        && (query.selectsEverything() || query.selects(definition, object))
        && call.view().isVisible(definition, object);
  }
}
