package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.related.RelatedSync;
import dev.mooring.syncagent.sync.FailureRegistry.Failure;
import dev.mooring.syncagent.sync.FailureRegistry.Outlook;
import dev.mooring.syncagent.sync.ObjectStory.State;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Finds objects of one published type, and says what is known of each; for operators. */
public final class ObjectStories {
  private final SyncCaches caches;
  private final FailureRegistry failures;
  private final UnsyncedObjects unsynced;
  private final RelatedSync related;
  private final Function<LogicalCluster, Optional<String>> paths;

  /**
   * @param paths of workspaces, as far as they are known; must not ask for them
   */
  ObjectStories(
      SyncCaches caches,
      FailureRegistry failures,
      UnsyncedObjects unsynced,
      RelatedSync related,
      Function<LogicalCluster, Optional<String>> paths) {
    this.caches = caches;
    this.failures = failures;
    this.unsynced = unsynced;
    this.related = related;
    this.paths = paths;
  }

  /**
   * In no order.
   *
   * @param text in lower case; part of the workspace, the logical cluster, or namespace/name
   */
  public Stream<ObjectKey> find(String text) {
    Predicate<ObjectKey> contains =
        key ->
            text.isEmpty()
                || key.toString().toLowerCase(Locale.ROOT).contains(text)
                || workspace(key).filter(path -> path.contains(text)).isPresent();
    return caches.sources().keys().stream().filter(contains);
  }

  /** The path of the object's workspace; empty if it is not known. */
  public Optional<String> workspace(ObjectKey key) {
    return paths.apply(key.cluster());
  }

  public State state(ObjectKey key) {
    return failures
        .of(key)
        .map(ObjectStories::state)
        .orElseGet(() -> unsynced.age(key).isPresent() ? State.PENDING : State.SYNCED);
  }

  /** Empty if there is neither the object nor a copy of it. */
  public Optional<ObjectStory> of(ObjectKey key) {
    Optional<Failure> failure = failures.find(key);
    var story =
        new ObjectStory(
            key,
            workspace(key),
            state(key),
            failure.map(Failure::reason).orElse(""),
            failure.map(Failure::message).orElse(""),
            unsynced.age(key).filter(Duration::isPositive),
            caches.sources().find(key),
            caches.copies().indexed(SnapshotReader.BY_SOURCE, SourceMarks.identity(key)),
            related.records(key),
            related.pending(key));
    return story.source().isEmpty() && story.copies().isEmpty()
        ? Optional.empty()
        : Optional.of(story);
  }

  private static State state(Outlook outlook) {
    return switch (outlook) {
      case PENDING -> State.PENDING;
      case FAILED -> State.FAILED;
      case REFUSED -> State.REFUSED;
      case SKIPPED -> State.SKIPPED;
    };
  }
}
