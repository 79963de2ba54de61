package dev.mooring.sandbox.api.registry;

import dev.mooring.model.object.KubeObject;

/**
 * Between the version in which a resource is served and the one in which it is stored. Pure. Both
 * directions set {@code apiVersion}; neither loses what the other version cannot say.
 */
public interface VersionConverter {
  KubeObject toServed(KubeObject stored);

  KubeObject toStorage(KubeObject served);

  /** The served version is the storage version: nothing to do. */
  VersionConverter SAME =
      new VersionConverter() {
        @Override
        public KubeObject toServed(KubeObject stored) {
          return stored;
        }

        @Override
        public KubeObject toStorage(KubeObject served) {
          return served;
        }
      };
}
