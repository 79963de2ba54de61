package dev.mooring.syncagent.published.mutation;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.Side;
import java.util.Optional;

/**
 * The object that is changed, by the side it comes from, and the one on the other side, as it is.
 *
 * @param other empty while there is none
 */
public record Counterparts(Side side, KubeObject object, Optional<KubeObject> other) {

  /** A consumer's object on its way down. */
  public static Counterparts fromKcp(KubeObject object, Optional<KubeObject> other) {
    return new Counterparts(Side.KCP, object, other);
  }

  /** An object of the service cluster on its way up. */
  public static Counterparts fromService(KubeObject object, Optional<KubeObject> other) {
    return new Counterparts(Side.SERVICE, object, other);
  }

  Counterparts with(KubeObject changed) {
    return new Counterparts(side, changed, other);
  }

  Optional<KubeObject> local() {
    return side == Side.SERVICE ? Optional.of(object) : other;
  }

  Optional<KubeObject> remote() {
    return side == Side.KCP ? Optional.of(object) : other;
  }
}
