package dev.mooring.sandbox.kcp.cached.decide;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.export.decide.ExportPlanner;
import dev.mooring.sandbox.kcp.object.decide.CachedResources;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
import dev.mooring.sandbox.kcp.object.decide.Conditions.Severity;
import java.util.Map;
import java.util.Optional;

/**
 * The life of a CachedResource: finalizer, kind and scope, identity, then copies of the objects for
 * as long as it is there.
 */
public final class CachedResourcePlanner {
  private static final String FINALIZER = "cache.kcp.io/cachedresource";
  private static final String VALID = "ResourceValid";
  private static final String STARTED = "ReplicationStarted";
  private static final String IDENTITY_VALID = "IdentityValid";
  private static final String DELETING = "Deleting";
  private static final String DELETED = "Deleted";

  /** The next step for a CachedResource. */
  public sealed interface Step {
    record Update(KubeObject cached) implements Step {}

    /** Make the secret of its name, with a fresh key. */
    record MakeSecret() implements Step {}

    /** Copy the objects, then write {@link #replicated}. */
    record Replicate() implements Step {}

    /** Delete the copies, then write {@link #purged}. */
    record Purge() implements Step {}

    /** Nothing until the type is served. */
    record AwaitType() implements Step {}

    record Await() implements Step {}
  }

  /**
   * What it caches, as its logical cluster serves it.
   *
   * @param scope {@code Cluster} or {@code Namespaced}
   */
  public record ServedType(ResourceType type, String kind, String scope) {}

  /** How many objects there are, and how many copies. */
  public record Counts(int local, int copies) {}

  private CachedResourcePlanner() {}

  /**
   * @param type empty if it is not served
   * @param now RFC 3339
   */
  public static Step next(
      KubeObject cached, Optional<ServedType> type, ExportPlanner.Identity identity, String now) {
    if (cached.deleting()) {
      return ending(cached, now);
    }
    if (!cached.hasFinalizer(FINALIZER)) {
      return new Step.Update(cached.withFinalizer(FINALIZER));
    }
    if (type.isEmpty()) {
      return new Step.AwaitType();
    }
    ServedType served = type.get();
    if (!served.scope().equals("Cluster")) {
      return written(
          cached,
          Conditions.unmet(
              cached,
              VALID,
              Severity.ERROR,
              "ResourceNotClusterScoped",
              "Resource " + served.type().qualified() + " is not cluster-scoped",
              now),
          new Step.Await());
    }
    KubeObject described =
        cached
            .with(served.kind(), "metadata", "annotations", CachedResources.KIND)
            .with(served.scope(), "metadata", "annotations", CachedResources.SCOPE);
    if (!described.equals(cached)) {
      return new Step.Update(described);
    }
    return switch (ExportPlanner.next(cached, identity, now)) {
      case ExportPlanner.Step.MakeSecret() -> new Step.MakeSecret();
      case ExportPlanner.Step.Update(KubeObject after) -> written(cached, after, new Step.Await());
      case ExportPlanner.Step.Await() ->
          cached.hasCondition(IDENTITY_VALID) ? new Step.Replicate() : new Step.Await();
    };
  }

  private static Step ending(KubeObject cached, String now) {
    if (!cached.hasFinalizer(FINALIZER)) {
      return new Step.Await();
    }
    return switch (cached.text("status", "phase")) {
      case DELETED -> new Step.Update(cached.withoutFinalizer(FINALIZER));
      case DELETING -> new Step.Purge();
      default ->
          new Step.Update(
              Conditions.unmet(
                      cached, VALID, Severity.ERROR, DELETING, "Published resource deleting", now)
                  .with(DELETING, "status", "phase"));
    };
  }

  private static Step written(KubeObject before, KubeObject after, Step otherwise) {
    if (after.equals(before)) {
      return otherwise;
    }
    boolean begins = after.at("status") != null && after.text("status", "phase").isEmpty();
    return new Step.Update(begins ? after.with("Initializing", "status", "phase") : after);
  }

  /** What is written once the objects are copied; equal to what it is if nothing is. */
  public static KubeObject replicated(KubeObject cached, Counts counts, String now) {
    KubeObject counted = Conditions.met(counted(cached, counts), VALID, now);
    return Conditions.met(counted, STARTED, now).with("Ready", "status", "phase");
  }

  /** What is written once the copies are gone. */
  public static KubeObject purged(KubeObject cached, String now) {
    long local = cached.at("status", "resourceCounts", "local") instanceof Long last ? last : 0;
    return Conditions.met(counted(cached, new Counts((int) local, 0)), VALID, now)
        .with(DELETED, "status", "phase");
  }

  private static KubeObject counted(KubeObject cached, Counts counts) {
    return cached.with(
        Map.of("cache", (long) counts.copies(), "local", (long) counts.local()),
        "status",
        "resourceCounts");
  }

  /** What is to be done with the copy of one object. */
  public enum CopyStep {
    WRITE,
    DELETE,
    KEEP
  }

  /** Whether a copy there is, and of what. */
  public sealed interface Copy {
    record Missing() implements Copy {}

    /**
     * @param version the object's version that it was made from
     */
    record Of(String version) implements Copy {}
  }

  /**
   * As in kcp, an object that is selected no longer keeps its last copy, and so does one that is
   * being deleted, until it is gone.
   *
   * @param selected whether the CachedResource's selector matches the object
   */
  public static CopyStep copy(KubeObject object, Selection selected, Copy copy) {
    if (selected == Selection.LEFT_OUT) {
      return CopyStep.KEEP;
    }
    if (object.deleting()) {
      boolean ends = object.finalizers().isEmpty() && copy instanceof Copy.Of;
      return ends ? CopyStep.DELETE : CopyStep.KEEP;
    }
    return copy.equals(new Copy.Of(object.resourceVersion())) ? CopyStep.KEEP : CopyStep.WRITE;
  }

  /** Whether a selector matches. */
  public enum Selection {
    SELECTED,
    LEFT_OUT;

    /**
     * @param wanted the {@link #matchLabels}
     */
    public static Selection of(Map<String, Object> wanted, Map<String, String> labels) {
      return wanted.entrySet().stream()
              .allMatch(label -> label.getValue().equals(labels.get(label.getKey())))
          ? SELECTED
          : LEFT_OUT;
    }
  }

  /** What selects objects; empty for all. As in kcp, the selector's expressions do not count. */
  public static Map<String, Object> matchLabels(KubeObject cached) {
    return cached.map("spec", "labelSelector", "matchLabels");
  }
}
