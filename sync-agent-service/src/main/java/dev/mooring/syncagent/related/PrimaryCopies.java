package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import java.util.Optional;

/** Copies of primaries of one published type, as last seen. Thread-safe. */
public interface PrimaryCopies {
  /** Meaningful only while {@link #areListed}. */
  Optional<KubeObject> of(ObjectKey primary);

  /** Whether all of them were listed once. */
  boolean areListed();

  /** Whether one may have been written that is not seen yet. */
  boolean mayBeUnseen(ObjectKey primary);

  /** Whether copies of primaries of any type are in this Namespace of the service cluster. */
  boolean areIn(String namespace);

  /** Whether the primary has no copy for certain. */
  default boolean isNone(ObjectKey primary) {
    return areListed() && of(primary).isEmpty() && !mayBeUnseen(primary);
  }
}
