package dev.mooring.runtime.lease;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.client.ListQuery;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Leases of one Namespace; every write is conditional on what was read. However long the client
 * itself waits, a request is broken off after {@link LeaseTerms#requestTimeout()}: what is still
 * written by it makes the Lease last longer, never two holders.
 */
final class LeaseStore {
  static final ResourceType LEASES = new ResourceType("coordination.k8s.io", "v1", "leases");

  private final KubeClient client;
  private final LeaseTerms terms;

  LeaseStore(KubeClient client, LeaseTerms terms) {
    this.client = client;
    this.terms = terms;
  }

  Optional<KubeObject> find() {
    return inTime(() -> client.find(LEASES, terms.namespace(), terms.name()));
  }

  /** Of the same Namespace, as the server has them. */
  List<KubeObject> list(String labels) {
    ListQuery query = ListQuery.ALL.inNamespace(terms.namespace()).withLabels(labels);
    return inTime(() -> client.list(LEASES, query)).items();
  }

  /** Whether it does not exist any more; false if it is not as it was read. */
  boolean delete(KubeObject lease) {
    var unchanged = new DeleteCondition.Unchanged(lease.uid(), lease.resourceVersion());
    try {
      inTime(() -> {
        client.delete(LEASES, lease.namespace(), lease.name(), unchanged);
        return lease;
      });
      return true;
    } catch (KubeFailure e) {
      return switch (e.kind()) {
        case NOT_FOUND -> true;
        case CONFLICT -> false;
        default -> throw e;
      };
    }
  }

  /** Empty if another process was first; a missing Namespace is a failure. */
  Optional<KubeObject> create(KubeObject lease) {
    return unlessBeaten(
        Set.of(Kind.CONFLICT, Kind.ALREADY_EXISTS), () -> client.create(LEASES, lease));
  }

  /** Empty if another process was first, which may have removed it. */
  Optional<KubeObject> update(KubeObject lease) {
    return unlessBeaten(
        Set.of(Kind.CONFLICT, Kind.ALREADY_EXISTS, Kind.NOT_FOUND),
        () -> client.update(LEASES, lease));
  }

  /**
   * Empty if the write failed with a conflict.
   *
   * @param beaten how such a write fails
   */
  private Optional<KubeObject> unlessBeaten(Set<Kind> beaten, Supplier<KubeObject> write) {
    try {
      return Optional.of(inTime(write));
    } catch (KubeFailure e) {
      if (beaten.contains(e.kind())) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private <T> T inTime(Supplier<T> request) {
    var task = new FutureTask<>(request::get);
    Thread.ofVirtual().name("lease request").start(task);
    try {
      return task.get(terms.requestTimeout().toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      task.cancel(true);
      throw KubeFailure.unavailable("no answer within " + terms.requestTimeout(), e);
    } catch (InterruptedException e) {
      task.cancel(true);
      Thread.currentThread().interrupt();
      throw KubeFailure.unavailable("interrupted", e);
    }
  }
}
