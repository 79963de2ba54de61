package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.decide.LookupResult;
import dev.mooring.depwebhook.lookup.decide.LookupResult.Found;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.reading.PendingRead;
import dev.mooring.depwebhook.reading.Workspaces;
import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.runtime.access.Caller;
import dev.mooring.runtime.access.PermissionReviewer;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which dependents a message may name. Who may delete a target need not be allowed to see
 * what refers to it: a dependent is named if its type may be listed in its namespace, and counted
 * otherwise. kcp is asked once for each type and namespace among the dependents that a message
 * names, so {@value dev.mooring.model.dependency.Blockers#NAMED_MAX} times at most, all at once,
 * and only where something is refused or warned of. Thread-safe.
 */
public final class MessageRedactor {
  private static final Logger LOG = LoggerFactory.getLogger(MessageRedactor.class);

  private final Workspaces<KubeClient> workspaces;

  /**
   * @param workspaces of consumers
   */
  public MessageRedactor(Workspaces<KubeClient> workspaces) {
    this.workspaces = workspaces;
  }

  /**
   * What the query's reader gets to see of a lookup. An Audit is read by others than the caller, in
   * the target's namespace: it names only dependents in that namespace, or in none.
   */
  LookupResult redact(DeletionQuery query, LookupResult result) {
    return query.reader().isPresent()
            && result instanceof LookupResult.Complete(var found, var unchecked)
            && !found.isEmpty()
        ? new LookupResult.Complete(redact(query, query.reader().get(), found), unchecked)
        : result;
  }

  private Map<Mode, Found> redact(DeletionQuery query, Caller caller, Map<Mode, Found> found) {
    Target target = query.target();
    Map<String, Set<GroupResource>> types =
        query.protections().stream()
            .collect(
                Collectors.groupingBy(
                    protection -> protection.rule().dependent().kind(),
                    Collectors.mapping(
                        protection -> GroupResource.of(protection.rule().dependent().type()),
                        Collectors.toSet())));
    var reviews = new Reviews(query, caller, types);
    // All are asked for before the first is waited for.
    Stream.of(Mode.DENY, Mode.WARN)
        .flatMap(mode -> Stream.ofNullable(found.get(mode)))
        .flatMap(one -> one.blockers().named().stream())
        .forEach(reviews::begin);
    var shown = new EnumMap<Mode, Found>(Mode.class);
    found.forEach((mode, one) ->
        shown.put(
            mode,
            switch (mode) {
              case DENY, WARN -> one.naming(reviews::permits);
              case AUDIT ->
                  one.naming(blocker ->
                      blocker.namespace().isEmpty()
                          || blocker.namespace().equals(target.key().namespace()));
            }));
    return shown;
  }

  /** What is asked about. */
  private record Place(GroupResource type, String namespace) {}

  /** Of one lookup. Used by one thread. */
  private final class Reviews {
    private final Caller caller;
    private final LogicalCluster cluster;
    private final Deadline deadline;
    private final Map<String, Set<GroupResource>> types;
    private final Map<Place, PendingRead<Boolean>> begun = new HashMap<>();

    Reviews(DeletionQuery query, Caller caller, Map<String, Set<GroupResource>> types) {
      this.caller = caller;
      this.cluster = query.target().key().cluster();
      this.deadline = query.deadline();
      this.types = types;
    }

    void begin(Blocker blocker) {
      if (!caller.username().isEmpty()) {
        places(blocker)
            .forEach(place ->
                begun.computeIfAbsent(
                    place,
                    _ ->
                        PendingRead.begin(
                            "the permission to list " + place.type(), () -> review(place))));
      }
    }

    /** Messages name kinds only, so every type of that kind has to be permitted. */
    boolean permits(Blocker blocker) {
      Collection<Place> places = places(blocker);
      return !places.isEmpty()
          && places.stream()
              .allMatch(place -> begun.containsKey(place) && isTrue(begun.get(place)));
    }

    private Collection<Place> places(Blocker blocker) {
      return types.getOrDefault(blocker.kind(), Set.of()).stream()
          .map(type -> new Place(type, blocker.namespace()))
          .toList();
    }

    private boolean review(Place place) {
      return PermissionReviewer.permitsList(
          workspaces.in(cluster), caller, place.type(), place.namespace());
    }

    /** A permission that cannot be looked up shows nothing. */
    private boolean isTrue(PendingRead<Boolean> review) {
      try {
        return review.result(deadline);
      } catch (KubeFailure failure) {
        LOG.warn(
            "Dependents in logical cluster {} are counted and not named to {}: {}{}",
            cluster,
            caller.username(),
            failure.getMessage(),
            failure.kind() == KubeFailure.Kind.FORBIDDEN
                ? "; let the webhook's user create subjectaccessreviews.authorization.k8s.io there"
                : "");
        return false;
      }
    }
  }
}
