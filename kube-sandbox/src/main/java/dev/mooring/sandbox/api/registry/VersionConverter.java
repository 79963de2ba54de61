package dev.mooring.sandbox.api.registry;

import dev.mooring.model.object.KubeObject;
import java.util.function.UnaryOperator;

/**
 * Between the version in which a resource is served and the one in which it is stored. Both
 * directions set {@code apiVersion}. Pure, unless a webhook converts: then each call asks it, and
 * throws ApiFailure 500 if that gives no answer that counts.
 */
public interface VersionConverter {
  KubeObject toServed(KubeObject stored);

  KubeObject toStorage(KubeObject served);

  /** As {@link #toServed}, but each version of an object is converted once. */
  default KubeObject toServedOnce(KubeObject stored) {
    return toServed(stored);
  }

  /** Whether objects are served exactly as they are stored, so that their text can be copied. */
  default boolean servesStored() {
    return false;
  }

  static VersionConverter of(UnaryOperator<KubeObject> served, UnaryOperator<KubeObject> storage) {
    return new VersionConverter() {
      @Override
      public KubeObject toServed(KubeObject stored) {
        return served.apply(stored);
      }

      @Override
      public KubeObject toStorage(KubeObject object) {
        return storage.apply(object);
      }
    };
  }

  /** The served version is the storage version. */
  enum Identity implements VersionConverter {
    SAME;

    @Override
    public KubeObject toServed(KubeObject stored) {
      return stored;
    }

    @Override
    public KubeObject toStorage(KubeObject served) {
      return served;
    }

    @Override
    public boolean servesStored() {
      return true;
    }
  }
}
