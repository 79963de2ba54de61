package dev.mooring.runtime.watch;

import dev.mooring.model.object.KubeObject;
import java.util.Optional;

/**
 * What one's own write made of one object, as the server answered it, until a watch has shown it.
 * Immutable.
 */
public sealed interface PendingWrite {
  /** As the server answered the last write, unless the watch has shown that or more. */
  Optional<KubeObject> object();

  /**
   * No request is under way.
   *
   * @param object empty if the watch has shown all that is known
   */
  record Settled(Optional<KubeObject> object) implements PendingWrite {
    public static final PendingWrite NONE = new Settled(Optional.empty());
  }

  /**
   * A request is under way, and the watch may be faster than its answer.
   *
   * @param object of an earlier write
   * @param shown the newest that the watch has shown since
   */
  record UnderWay(Optional<KubeObject> object, Optional<KubeObject> shown)
      implements PendingWrite {}

  /** A request is about to be sent. */
  default PendingWrite begun() {
    return new UnderWay(object(), Optional.empty());
  }

  /** The server answered with this; of no use any more if the watch was faster. */
  default PendingWrite answered(KubeObject written) {
    return this instanceof UnderWay(var _, var shown)
            && shown.filter(seen -> !ResourceVersions.isOlder(seen, written)).isPresent()
        ? Settled.NONE
        : new Settled(Optional.of(written));
  }

  /** The watch has shown this. */
  default PendingWrite shown(KubeObject seen) {
    Optional<KubeObject> unshown = object().filter(own -> ResourceVersions.isOlder(seen, own));
    return switch (this) {
      case Settled _ -> unshown.isEmpty() ? Settled.NONE : this;
      case UnderWay(var _, var before) ->
          new UnderWay(
              unshown,
              before
                  .filter(known -> !ResourceVersions.isOlder(known, seen))
                  .or(() -> Optional.of(seen)));
    };
  }

  /**
   * The watch has shown the end of this object, as it was last seen: that may be before the write,
   * and the object's end is its end all the same.
   */
  default PendingWrite ended(KubeObject last) {
    PendingWrite after = shown(last);
    return after.object().filter(own -> own.uid().equals(last.uid())).isEmpty()
        ? after
        : switch (after) {
          case Settled _ -> Settled.NONE;
          case UnderWay(var _, var shown) -> new UnderWay(Optional.empty(), shown);
        };
  }
}
