package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.decide.LookupResult;
import dev.mooring.depwebhook.lookup.decide.LookupResult.Found;
import dev.mooring.depwebhook.reading.PermissionReviews;
import dev.mooring.depwebhook.reading.Workspaces;
import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.runtime.access.Caller;
import dev.mooring.runtime.access.PermissionReviewer;
import dev.mooring.runtime.client.KubeClient;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decides which dependents a message may name. Who may delete a target need not be allowed to see
 * what refers to it: a dependent is named if its type may be listed in its namespace, and counted
 * otherwise. kcp is asked once for each type and namespace among the dependents that a message
 * names, so {@value dev.mooring.model.dependency.Blockers#NAMED_MAX} times at most, all at once,
 * and only where something is refused or warned of. Thread-safe.
 */
public record MessageRedactor(Workspaces<KubeClient> workspaces) {
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
    ObjectKey target = query.target().key();
    Map<String, Set<GroupResource>> types =
        query.protections().stream()
            .collect(
                Collectors.groupingBy(
                    protection -> protection.rule().dependent().kind(),
                    Collectors.mapping(
                        protection -> GroupResource.of(protection.rule().dependent().type()),
                        Collectors.toSet())));
    var reviews = new PermissionReviews<Place>(query.deadline());
    if (!caller.username().isEmpty()) {
      // All are asked for before the first is waited for.
      Stream.of(Mode.DENY, Mode.WARN)
          .flatMap(mode -> Stream.ofNullable(found.get(mode)))
          .flatMap(one -> one.blockers().named().stream())
          .flatMap(blocker -> places(blocker, types).stream())
          .forEach(place ->
              reviews.begin(
                  place,
                  "list " + place.type() + " in logical cluster " + target.cluster(),
                  () ->
                      PermissionReviewer.permitsList(
                          workspaces.in(target.cluster()),
                          caller,
                          place.type(),
                          place.namespace())));
    }
    var shown = new EnumMap<Mode, Found>(Mode.class);
    found.forEach((mode, one) ->
        shown.put(
            mode,
            switch (mode) {
              case DENY, WARN -> one.naming(blocker -> permitted(places(blocker, types), reviews));
              case AUDIT ->
                  one.naming(blocker ->
                      blocker.namespace().isEmpty()
                          || blocker.namespace().equals(target.namespace()));
            }));
    return shown;
  }

  /** What is asked about. */
  private record Place(GroupResource type, String namespace) {}

  private static List<Place> places(Blocker blocker, Map<String, Set<GroupResource>> types) {
    return types.getOrDefault(blocker.kind(), Set.of()).stream()
        .map(type -> new Place(type, blocker.namespace()))
        .toList();
  }

  /**
   * Messages name kinds only, so every type of that kind has to be permitted. A permission that
   * cannot be looked up shows nothing.
   */
  private static boolean permitted(List<Place> places, PermissionReviews<Place> reviews) {
    return !places.isEmpty()
        && places.stream().allMatch(place -> reviews.result(place).orElse(false));
  }
}
