package dev.mooring.depwebhook.race.decide;

import java.time.Instant;
import java.util.Objects;

/**
 * A record that a request is under way which makes one object refer to a target.
 *
 * @param id of the review that made it, so that it can take back its own and nothing else
 * @param targetNamespace of the target as the reference says it; empty if it may be any
 * @param at by the clock of the replica that made it, not before the review came in
 */
public record Announcement(
    String id,
    DependentId dependent,
    String targetNamespace,
    Origin origin,
    Instant at,
    Fate fate) {
  public Announcement {
    Objects.requireNonNull(dependent, "dependent");
    Objects.requireNonNull(targetNamespace, "targetNamespace");
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(at, "at");
    Objects.requireNonNull(fate, "fate");
    if (id.isEmpty()) {
      throw new IllegalArgumentException("an announcement has an id");
    }
  }

  /** What kind of request it is, and so what shows that it is over. */
  public sealed interface Origin {
    /** Its uid is new: the object was created once one of this uid was seen. */
    record Creation() implements Origin {}

    /**
     * An API server carries out a change only on the version it had reviewed.
     *
     * @param baseVersion resource version of the object that was reviewed; once the object has
     *     another, this request was carried out or never will be without another review
     */
    record Change(String baseVersion) implements Origin {
      public Change {
        Objects.requireNonNull(baseVersion, "baseVersion");
      }
    }
  }

  /** What is known of a creation. */
  public enum Fate {
    OPEN,
    /** An object of this uid was seen; if there is none now, it was deleted since. */
    COMMITTED
  }

  /** What an announcement means for a deletion once its dependent was read. */
  enum Standing {
    REFERS,
    /** The request may still be carried out. */
    UNDER_WAY,
    /** There is no reference, and there will be none by this request. */
    OVER
  }

  /** One that was just made, of which nothing is known yet. */
  public static Announcement of(
      String id, DependentId dependent, String targetNamespace, Origin origin, Instant at) {
    return new Announcement(id, dependent, targetNamespace, origin, at, Fate.OPEN);
  }

  Announcement committed() {
    return new Announcement(id, dependent, targetNamespace, origin, at, Fate.COMMITTED);
  }

  /** Whether it may be about a target in this namespace. */
  boolean concerns(String namespace) {
    return targetNamespace.isEmpty() || namespace.isEmpty() || targetNamespace.equals(namespace);
  }

  Standing standing(LiveDependent live, Instant now, RaceTimings terms) {
    if (live instanceof LiveDependent.Present(_, _, LiveDependent.Relation relation)
        && relation == LiveDependent.Relation.REFERS) {
      return Standing.REFERS;
    }
    return terms.openAt(at, now) && !over(live) ? Standing.UNDER_WAY : Standing.OVER;
  }

  private boolean over(LiveDependent live) {
    return switch (origin) {
      case Origin.Creation() -> fate == Fate.COMMITTED || live.is(dependent.uid());
      case Origin.Change(String baseVersion) ->
          !(live instanceof LiveDependent.Present(var uid, var version, _)
              && uid.equals(dependent.uid())
              && version.equals(baseVersion));
    };
  }

  /** Weight in the register, in characters: an estimate from above of its JSON. */
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
