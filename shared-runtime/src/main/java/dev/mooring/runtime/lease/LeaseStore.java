package dev.mooring.runtime.lease;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import java.util.Optional;
import java.util.function.Supplier;

/** One Lease on a cluster; every write is conditional on what was read. */
final class LeaseStore {
  private static final ResourceType LEASES =
      new ResourceType("coordination.k8s.io", "v1", "leases");

  private final KubeClient client;
  private final LeaseTerms terms;

  LeaseStore(KubeClient client, LeaseTerms terms) {
    this.client = client;
    this.terms = terms;
  }

  Optional<KubeObject> find() {
    return client.find(LEASES, terms.namespace(), terms.name());
  }

  /** Empty if somebody else was first. */
  Optional<KubeObject> create(KubeObject lease) {
    return unlessBeaten(() -> client.create(LEASES, lease));
  }

  /** Empty if somebody else was first. */
  Optional<KubeObject> update(KubeObject lease) {
    return unlessBeaten(() -> client.update(LEASES, lease));
  }

  private static Optional<KubeObject> unlessBeaten(Supplier<KubeObject> write) {
    try {
      return Optional.of(write.get());
    } catch (KubeFailure e) {
      return switch (e.kind()) {
        case CONFLICT, ALREADY_EXISTS, NOT_FOUND -> Optional.empty();
        case NOT_SERVED, INVALID, FORBIDDEN, UNAUTHORIZED, GONE, TOO_LARGE, UNAVAILABLE -> throw e;
      };
    }
  }
}
