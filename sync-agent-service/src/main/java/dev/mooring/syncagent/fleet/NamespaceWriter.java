package dev.mooring.syncagent.fleet;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeWriter;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes Namespaces of the service cluster that the agent made, and keeps that apart from what the
 * agent makes in them: no server can condition the deletion of a Namespace on its being empty, and
 * caches show neither what is being made nor what was made a moment ago. Nobody waits here: whoever
 * comes second is turned away. Bounded by the requests under way. Thread-safe.
 */
public final class NamespaceWriter {
  private static final Logger LOG = LoggerFactory.getLogger(NamespaceWriter.class);
  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");
  private static final int REMOVING = -1;

  private final KubeWriter service;
  private final Predicate<String> holdsCopies;

  /** How many make something in a Namespace at this moment, or {@link #REMOVING}. */
  private final ConcurrentHashMap<String, Integer> inside = new ConcurrentHashMap<>();

  /**
   * @param holdsCopies whether the server has anything in a Namespace that carries a source's mark;
   *     throws {@link KubeFailure} if it does not say
   */
  public NamespaceWriter(KubeWriter service, Predicate<String> holdsCopies) {
    this.service = service;
    this.holdsCopies = holdsCopies;
  }

  /**
   * Makes something in a Namespace.
   *
   * @param namespace empty for what is in none
   * @return empty, with nothing done, if the Namespace is being removed at this moment
   */
  public <T> Optional<T> inside(String namespace, Supplier<T> making) {
    if (namespace.isEmpty()) {
      return Optional.of(making.get());
    }
    int now =
        inside.merge(namespace, 1, (before, one) -> before == REMOVING ? before : before + one);
    if (now == REMOVING) {
      return Optional.empty();
    }
    try {
      return Optional.of(making.get());
    } finally {
      inside.computeIfPresent(namespace, (_, before) -> before == 1 ? null : before - 1);
    }
  }

  /**
   * Removes a Namespace, as it was seen, unless it holds anything. One that may not be removed
   * stays: nothing has to wait for that.
   *
   * @param occupied whether there is more in a Namespace than {@code holdsCopies} finds
   * @throws KubeFailure if it is not known what became of it: then it is to be tried again
   */
  public void remove(KubeObject namespace, Predicate<String> occupied) {
    String name = namespace.name();
    if (inside.putIfAbsent(name, REMOVING) != null) {
      return; // whoever makes something there removes it with that
    }
    try {
      if (!occupied.test(name) && !holdsCopies.test(name)) {
        delete(namespace);
      }
    } finally {
      inside.remove(name);
    }
  }

  private void delete(KubeObject namespace) {
    try {
      service.delete(
          NAMESPACES,
          "",
          namespace.name(),
          new DeleteCondition.Unchanged(namespace.uid(), namespace.resourceVersion()));
    } catch (KubeFailure e) {
      switch (e.kind()) {
        case NOT_FOUND -> {
          // Gone already.
        }
        case FORBIDDEN, INVALID, NOT_SERVED, TOO_LARGE ->
            LOG.warn(
                "Namespace {} holds nothing of the agent any more and stays: {}",
                namespace.name(),
                e.getMessage());
        case ALREADY_EXISTS, CONFLICT, UNAUTHORIZED, GONE, UNAVAILABLE -> throw e;
      }
    }
  }
}
