package dev.mooring.syncagent.related;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.published.Adoption;
import dev.mooring.model.published.RelatedResource;
import dev.mooring.model.published.template.TemplateFailure;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.watch.Change;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.fleet.ConsumerObjects;
import dev.mooring.syncagent.fleet.SharedWatches;
import dev.mooring.syncagent.fleet.SharedWatches.Side;
import dev.mooring.syncagent.related.RelatedIndex.Target;
import dev.mooring.syncagent.related.RelatedReader.Primaries;
import dev.mooring.syncagent.related.decide.Place;
import dev.mooring.syncagent.related.decide.RelatedAction;
import dev.mooring.syncagent.related.decide.RelatedPlan;
import dev.mooring.syncagent.related.decide.RelatedPlanner;
import dev.mooring.syncagent.related.decide.RelatedSnapshot;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Keeps the related objects of one published type's primaries in step; each pass makes at most one
 * write. Changes of related objects bring their primaries back through {@code lookAgain}.
 * Thread-safe.
 */
public final class RelatedReconciler implements RelatedSync, AutoCloseable {
  private final List<RelatedResource> entries;
  private final SharedWatches watches;
  private final ConsumerObjects primaries;
  private final RelatedStore store;
  private final RelatedReader reader;
  private final RelatedExecutor executor;
  private final RelatedIndex index = new RelatedIndex();
  private final Consumer<ObjectKey> lookAgain;
  private final SharedWatches.Subscription subscription;

  /** What holds for all primaries of one published type. */
  public record Rules(
      List<RelatedResource> entries,
      ResourceType primaryType,
      String agentName,
      String stateNamespace,
      Adoption adoption) {
    public Rules {
      entries = List.copyOf(entries);
    }
  }

  /**
   * @param lookAgain is given primaries whose related objects changed; must not block
   */
  public RelatedReconciler(
      Rules rules,
      KubeClient service,
      SharedWatches watches,
      ConsumerObjects primaries,
      Consumer<ObjectKey> lookAgain) {
    this.entries = rules.entries();
    this.watches = watches;
    this.primaries = primaries;
    this.lookAgain = lookAgain;
    this.store =
        new RelatedStore(
            service, watches, rules.stateNamespace(), rules.agentName(), rules.primaryType());
    this.reader = new RelatedReader(watches, primaries, store, rules.agentName(), rules.adoption());
    this.executor = new RelatedExecutor(service, store, rules.primaryType());
    this.subscription = watches.listen(this::changed);
  }

  /** How a pass over a primary's related objects ended. */
  public sealed interface Progress {
    /** All are as they should be. */
    record Settled() implements Progress {}

    /** One write was made; its event brings the next pass. */
    record Wrote() implements Progress {}

    /** The caches are behind: look again soon. */
    record Outdated() implements Progress {}

    /** Something else has to happen first; a watch will tell. */
    record Waiting() implements Progress {}

    /** At least one cannot be synced as it stands; the others are as they should be. */
    record Refused(String reason, String message) implements Progress {}
  }

  /** Whether all caches that decisions need are filled. */
  public boolean isSynced() {
    for (RelatedResource entry : entries) {
      if (!watches.inKcp(entry.type()).isSynced() || !watches.onService(entry.type()).isSynced()) {
        return false;
      }
    }
    return entries.isEmpty()
        || watches.inKcp(ResourceType.core("namespaces")).isSynced()
            && watches.onService(ResourceType.core("namespaces")).isSynced()
            && store.isSynced();
  }

  @Override
  public boolean isSynced(ObjectKey primary) {
    if (entries.isEmpty()) {
      return true;
    }
    Optional<URI> endpoint = primaries.endpointOf(primary);
    return endpoint.isPresent()
        && entries.stream()
            .allMatch(entry ->
                watches.inKcp(entry.type()).isSynced(endpoint.get())
                    && watches.onService(entry.type()).isSynced())
        && watches.inKcp(ResourceType.core("namespaces")).isSynced(endpoint.get())
        && watches.onService(ResourceType.core("namespaces")).isSynced()
        && store.isSynced();
  }

  @Override
  public Progress keepInStep(
      ObjectKey key, KubeObject source, Optional<KubeObject> copy, KubeClient workspace) {
    if (entries.isEmpty()) {
      return new Progress.Settled();
    }
    var primaries = new Primaries(key, source, copy);
    var targets = new LinkedHashSet<Target>();
    Progress result = new Progress.Settled();
    for (RelatedResource entry : entries) {
      try {
        targets.addAll(reader.targets(entry, primaries));
        index.replace(key, Set.copyOf(targets));
        RelatedSnapshot seen = reader.read(entry, primaries);
        Progress progress = carryOut(key, seen, RelatedPlanner.keepInStep(seen), workspace);
        if (progress instanceof Progress.Wrote || progress instanceof Progress.Outdated) {
          return progress;
        }
        result = worse(result, progress);
      } catch (TemplateFailure e) {
        result =
            worse(
                result,
                new Progress.Refused(
                    "RelatedNotFound",
                    "related object " + entry.identifier() + ": " + e.getMessage()));
      }
    }
    return result;
  }

  @Override
  public Progress windDown(
      ObjectKey key, KubeObject source, Optional<KubeObject> copy, KubeClient workspace) {
    if (entries.isEmpty()) {
      return new Progress.Settled();
    }
    var primaries = new Primaries(key, source, copy);
    var targets = new LinkedHashSet<Target>();
    for (RelatedResource entry : entries) {
      RelatedSnapshot seen;
      try {
        targets.addAll(reader.targets(entry, primaries));
        index.replace(key, Set.copyOf(targets));
        seen = reader.read(entry, primaries);
      } catch (TemplateFailure e) {
        continue; // it never had a name, so there is nothing of it
      }
      Progress progress = carryOut(key, seen, RelatedPlanner.windDown(seen), workspace);
      if (!(progress instanceof Progress.Settled)) {
        return progress;
      }
    }
    index.replace(key, Set.of());
    return store.dropAll(key) ? new Progress.Wrote() : new Progress.Settled();
  }

  @Override
  public void forget(ObjectKey key) {
    index.replace(key, Set.of());
  }

  @Override
  public void close() {
    subscription.close();
  }

  private Progress carryOut(
      ObjectKey key, RelatedSnapshot seen, RelatedPlan plan, KubeClient workspace) {
    return switch (plan) {
      case RelatedPlan.InSync() -> new Progress.Settled();
      case RelatedPlan.Await() -> new Progress.Waiting();
      case RelatedPlan.Refuse(var reason, var message) -> new Progress.Refused(reason, message);
      case RelatedPlan.Act(var action) ->
          switch (executor.execute(key, seen.entry(), seen.primary(), action, workspace)) {
            // Nothing maps a Namespace's event to the objects that go into it.
            case DONE ->
                action instanceof RelatedAction.CreateNamespace
                    ? new Progress.Outdated()
                    : new Progress.Wrote();
            case OUTDATED -> new Progress.Outdated();
          };
    };
  }

  /** A refusal is worth more telling than waiting, and waiting more than nothing. */
  private static Progress worse(Progress before, Progress now) {
    return before instanceof Progress.Settled || now instanceof Progress.Refused ? now : before;
  }

  private void changed(Side side, ResourceType type, Change change) {
    KubeObject object =
        switch (change) {
          case Change.Added(var _, var added) -> added;
          case Change.Updated(var _, var _, var after) -> after;
          case Change.Removed(var _, var last) -> last;
        };
    LogicalCluster cluster = side == Side.SERVICE ? LogicalCluster.NONE : change.key().cluster();
    index.primariesOf(new Target(side, type, cluster, Place.of(object))).forEach(lookAgain);
    if (side == Side.SERVICE && type.equals(RelatedStore.SECRETS)) {
      // A record of ours, perhaps.
      SourceMarks.sourceOf(object).ifPresent(lookAgain);
    }
  }
}
