package dev.mooring.runtime.client;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Optional;

/** Looks for objects where those of all logical clusters are listed at once. */
public final class WildcardReads {
  private static final FieldMask METADATA = FieldMask.of(List.of(List.of("metadata")));

  private WildcardReads() {}

  /**
   * Whether an object is among those of all clusters. By a selector that leaves but one place in a
   * cluster, a namespace or a name in none, kcp 0.32 finds nothing, even where objects exist: an
   * empty answer to it is not absence. So objects without a namespace are all looked through.
   *
   * @param everywhere reads of {@code /clusters/*}
   */
  public static boolean show(KubeReader everywhere, ResourceType type, ObjectKey key) {
    ListQuery query =
        key.namespace().isEmpty()
            ? ListQuery.ALL
            : ListQuery.ALL.withFields("metadata.name=" + key.name());
    while (true) {
      Optional<ListEnd> end = everywhere.scan(type, query, METADATA, object -> !isAt(key, object));
      if (end.isEmpty()) {
        return true;
      }
      if (end.get().continueToken().isEmpty()) {
        return false;
      }
      query = query.after(end.get().continueToken());
    }
  }

  private static boolean isAt(ObjectKey key, KubeObject object) {
    return object.name().equals(key.name())
        && object.namespace().equals(key.namespace())
        && object.logicalCluster().equals(Optional.of(key.cluster()));
  }
}
