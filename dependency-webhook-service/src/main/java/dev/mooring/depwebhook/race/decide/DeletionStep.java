package dev.mooring.depwebhook.race.decide;

import dev.mooring.depwebhook.race.decide.Refusal.ReferenceUnderWay;
import dev.mooring.depwebhook.race.decide.Refusal.Unknown;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The side of a deletion: what the review of a request does next that deletes a target. Each step
 * is one access; its result leads to the next.
 *
 * <ol>
 *   <li>write the intent: from here on a reference to the target is refused;
 *   <li>read the announcements: a reference that did not see the intent was announced before;
 *   <li>read each of their dependents: does it refer, may it still come to, or is it over;
 *   <li>look for all other referrers: whoever is not announced any more is old enough for an index;
 *   <li>if the answer is no, take back the intent, and note what was seen carried out.
 * </ol>
 */
public sealed interface DeletionStep {
  /**
   * @param namespace of the target; empty for a cluster-scoped one
   */
  static DeletionStep first(
      Intent intent, String namespace, Recording recording, RaceTimings terms) {
    var review = new Case(intent, namespace, recording, terms);
    return switch (recording) {
      case RECORDED -> new Intend(review);
      case REHEARSED -> new ReadAnnouncements(review);
    };
  }

  /** What follows if there is no time for another access. */
  static DeletionStep abandoned(DeletionStep step, String problem) {
    return switch (step) {
      case Intend intend -> intend.failed(new Unknown(problem));
      case ReadAnnouncements read -> read.failed(problem);
      case ReadDependent read -> read.failed(problem);
      case LookUp lookup -> lookup.failed(problem);
      case Withdraw withdraw -> withdraw;
      case Answered answered -> answered;
    };
  }

  /** What stays the same throughout. */
  record Case(Intent intent, String namespace, Recording recording, RaceTimings terms) {
    public Case {
      Objects.requireNonNull(intent, "intent");
      Objects.requireNonNull(namespace, "namespace");
      Objects.requireNonNull(recording, "recording");
      Objects.requireNonNull(terms, "terms");
    }

    DeletionStep refused(Set<String> committed, Answer answer) {
      return switch (recording) {
        case RECORDED -> new Withdraw(this, committed, answer);
        case REHEARSED -> new Answered(answer);
      };
    }
  }

  /** What a review comes to. */
  sealed interface Answer {
    /** Nothing refers, and nothing will by a request that is under way. */
    record Granted() implements Answer {}

    /** Something refers; what, the lookup told. */
    record Referenced() implements Answer {}

    record Refused(Refusal refusal) implements Answer {
      public Refused {
        Objects.requireNonNull(refusal, "refusal");
      }
    }
  }

  /** What a lookup came to, the announced referrers included. */
  enum Finding {
    FREE,
    REFERENCED
  }

  /** Add the intent to the register. */
  record Intend(Case review) implements DeletionStep {
    public DeletionStep intended() {
      return new ReadAnnouncements(review);
    }

    /** The intent may or may not have been recorded. */
    public DeletionStep failed(Refusal refusal) {
      return review.refused(Set.of(), new Answer.Refused(refusal));
    }
  }

  /** Read the register's announcements. */
  record ReadAnnouncements(Case review) implements DeletionStep {
    public DeletionStep read(Announcements announcements, Instant now) {
      return Seen.NOTHING.next(
          review, announcements.about(review.namespace(), now, review.terms()));
    }

    public DeletionStep failed(String problem) {
      return review.refused(Set.of(), new Answer.Refused(new Unknown(problem)));
    }
  }

  /**
   * What the dependents that were read so far tell.
   *
   * @param committed ids of announcements whose object was seen
   * @param underWay the first request that may still be carried out
   */
  record Seen(Set<String> committed, Optional<ReferenceUnderWay> underWay) {
    static final Seen NOTHING = new Seen(Set.of(), Optional.empty());

    public Seen {
      committed = Set.copyOf(committed);
      Objects.requireNonNull(underWay, "underWay");
    }

    DeletionStep next(Case review, List<Announcement> unread) {
      if (!unread.isEmpty()) {
        return new ReadDependent(review, this, unread);
      }
      return underWay
          .map(refusal -> review.refused(committed, new Answer.Refused(refusal)))
          .orElseGet(() -> new LookUp(review, this, Optional.empty(), List.of()));
    }

    Seen committed(Announcement announcement) {
      var more = new HashSet<>(committed);
      more.add(announcement.id());
      return new Seen(more, underWay);
    }

    Seen underWay(ReferenceUnderWay refusal) {
      return new Seen(committed, Optional.of(underWay.orElse(refusal)));
    }
  }

  /**
   * Read the dependent of the first announcement as it is now.
   *
   * @param unread never empty
   */
  record ReadDependent(Case review, Seen seen, List<Announcement> unread) implements DeletionStep {
    public ReadDependent {
      unread = List.copyOf(unread);
    }

    public DependentId dependent() {
      return unread.getFirst().dependent();
    }

    public DeletionStep read(LiveDependent live, Instant now) {
      Announcement announcement = unread.getFirst();
      List<Announcement> rest = unread.subList(1, unread.size());
      Seen and =
          announcement.fate() == Announcement.Fate.OPEN && live.is(dependent().uid())
              ? seen.committed(announcement)
              : seen;
      return switch (announcement.standing(live, now, review.terms())) {
        case REFERS -> new LookUp(review, and, Optional.of(dependent()), rest);
        case UNDER_WAY ->
            and.underWay(
                    new ReferenceUnderWay(
                        dependent(), review.terms().openFor(announcement.at(), now)))
                .next(review, rest);
        case OVER -> and.next(review, rest);
      };
    }

    public DeletionStep failed(String problem) {
      return review.refused(seen.committed(), new Answer.Refused(new Unknown(problem)));
    }
  }

  /**
   * Look for all referrers.
   *
   * @param referrer of those that were announced, which an index may not show yet; usually it is
   *     enough to refuse, so the others were not read
   */
  record LookUp(Case review, Seen seen, Optional<DependentId> referrer, List<Announcement> unread)
      implements DeletionStep {
    public LookUp {
      Objects.requireNonNull(referrer, "referrer");
      unread = List.copyOf(unread);
    }

    public DeletionStep found(Finding finding) {
      return switch (finding) {
        case REFERENCED -> review.refused(seen.committed(), new Answer.Referenced());
        case FREE ->
            referrer.isPresent() ? seen.next(review, unread) : new Answered(new Answer.Granted());
      };
    }

    public DeletionStep failed(String problem) {
      return review.refused(seen.committed(), new Answer.Refused(new Unknown(problem)));
    }
  }

  /** Take back the intent and note what was seen; whether that works, the answer stands. */
  record Withdraw(Case review, Set<String> committed, Answer answer) implements DeletionStep {
    public Withdraw {
      committed = Set.copyOf(committed);
      Objects.requireNonNull(answer, "answer");
    }

    public DeletionStep done() {
      return new Answered(answer);
    }
  }

  /** The end. */
  record Answered(Answer answer) implements DeletionStep {
    public Answered {
      Objects.requireNonNull(answer, "answer");
    }
  }
}
