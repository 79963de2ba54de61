package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.Scope;
import dev.mooring.syncagent.published.Side;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.ConcurrentHashMap;

/** Kinds and scopes of types, cached from discovery. Thread-safe. */
public final class TypeDiscovery {
  /** Age at which a type is discovered again: it may have got a status subresource. */
  private static final Duration GOOD_FOR = Duration.ofMinutes(5);

  private final InstantSource clock;
  private final ConcurrentHashMap<Key, Known> known = new ConcurrentHashMap<>();

  /** What discovery says of one type. */
  public record TypeInfo(String kind, Scope scope, StatusSubresource status) {}

  private record Key(Side side, ResourceType type) {}

  private record Known(TypeInfo info, Instant since) {}

  public TypeDiscovery(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * @throws KubeFailure of kind {@link Kind#NOT_SERVED} if the server does not have the type
   */
  public TypeInfo of(Side side, ResourceType type, KubeReader server) {
    var key = new Key(side, type);
    Instant now = clock.instant();
    Known last = known.get(key);
    if (last != null && now.isBefore(last.since().plus(GOOD_FOR))) {
      return last.info();
    }
    TypeInfo info = ask(type, server);
    known.put(key, new Known(info, now));
    return info;
  }

  private static TypeInfo ask(ResourceType type, KubeReader server) {
    KubeObject list = server.document(type.apiPath());
    TypeInfo found = null;
    StatusSubresource status = StatusSubresource.ABSENT;
    for (Object entry : list.list("resources")) {
      String name = Trees.text(entry, "name");
      if (name.equals(type.resource())) {
        found =
            new TypeInfo(
                Trees.text(entry, "kind"),
                Boolean.TRUE.equals(Trees.at(entry, "namespaced"))
                    ? Scope.NAMESPACED
                    : Scope.CLUSTER,
                StatusSubresource.ABSENT);
      } else if (name.equals(type.resource() + "/status")) {
        status = StatusSubresource.PRESENT;
      }
    }
    if (found == null) {
      throw new KubeFailure(
          Kind.NOT_SERVED, 404, "NotFound", type.qualified() + " is not served", null, null);
    }
    return new TypeInfo(found.kind(), found.scope(), status);
  }
}
