package dev.mooring.depwebhook.race.decide;

import java.time.Instant;

/**
 * The register's record of one request that makes one object refer to a target.
 *
 * @param id of the review that wrote it, which withdraws this record only
 * @param targetNamespace of the target as the reference names it; empty for any namespace
 * @param at by the clock of the replica that wrote it, not before the review arrived
 */
public record ReferenceClaim(
    String id, DependentId dependent, String targetNamespace, Request request, Instant at) {
  /** The kind of request, which decides how a read of the dependent shows that it is over. */
  public sealed interface Request {
    /** Its uid is new: an object with this uid proves that it was carried out. */
    record Creation() implements Request {}

    /**
     * An API server carries out a change only on the version that was reviewed.
     *
     * @param baseVersion resource version of the reviewed object; once the object has another, this
     *     request was carried out or needs another review
     */
    record Change(String baseVersion) implements Request {}
  }

  /** What a reference claim means for a deletion once its dependent was read. */
  enum Status {
    REFERS,
    /** The request may still be carried out. */
    PENDING,
    /** There is no reference, and this request will make none. */
    OVER
  }

  /** Whether it may be about a target in this namespace. */
  boolean concerns(String namespace) {
    return targetNamespace.isEmpty() || namespace.isEmpty() || targetNamespace.equals(namespace);
  }

  Status status(LiveDependent live, Instant now, RaceTimings timings) {
    if (live instanceof LiveDependent.Present(_, _, LiveDependent.Relation relation)
        && relation == LiveDependent.Relation.REFERS) {
      return Status.REFERS;
    }
    return timings.openAt(at, now) && !isOver(live) ? Status.PENDING : Status.OVER;
  }

  /** A creation whose object is absent may be pending or deleted again: the read does not tell. */
  private boolean isOver(LiveDependent live) {
    return switch (request) {
      case Request.Creation() -> live.is(dependent.uid());
      case Request.Change(String baseVersion) ->
          !(live instanceof LiveDependent.Present(var uid, var version, _)
              && uid.equals(dependent.uid())
              && version.equals(baseVersion));
    };
  }

  /** Upper bound of its JSON in the register, in characters. */
  int weight() {
    return 160
        + id.length()
        + targetNamespace.length()
        + dependent.type().toString().length()
        + dependent.namespace().length()
        + dependent.name().length()
        + dependent.uid().length();
  }
}
