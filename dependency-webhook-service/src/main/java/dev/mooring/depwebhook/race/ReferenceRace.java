package dev.mooring.depwebhook.race;

import dev.mooring.depwebhook.lookup.MissingRight;
import dev.mooring.depwebhook.race.decide.Announcement;
import dev.mooring.depwebhook.race.decide.DependentId;
import dev.mooring.depwebhook.race.decide.Intents;
import dev.mooring.depwebhook.race.decide.NewReferences;
import dev.mooring.depwebhook.race.decide.NewReferences.Added;
import dev.mooring.depwebhook.race.decide.NewReferences.Referred;
import dev.mooring.depwebhook.race.decide.RaceRefusal;
import dev.mooring.depwebhook.race.decide.Recording;
import dev.mooring.depwebhook.race.decide.ReferenceStep;
import dev.mooring.depwebhook.race.decide.Refusal;
import dev.mooring.depwebhook.race.decide.RegisterKey;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.dependency.Reference;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reviews requests that add references to targets of race-free rules: carries out the steps of
 * {@link ReferenceStep} for each new reference; all have to be granted. Thread-safe.
 */
final class ReferenceRace {
  private static final Logger LOG = LoggerFactory.getLogger(ReferenceRace.class);

  /** Each costs several requests within the seconds of a review. */
  static final int ADDED_MAX = 100;

  private final RaceContext context;

  ReferenceRace(RaceContext context) {
    this.context = context;
  }

  /** An announcement of this review, withdrawn if another reference is refused. */
  private record Recorded(RegisterKey key, String id) {}

  /** As {@link RaceProtection#reference}. */
  Optional<RaceRefusal> refusal(
      ReferenceReview review,
      List<Protection> protections,
      Deadline deadline,
      UnaryOperator<List<Protection>> eligible) {
    Optional<RaceRefusal> refusal = refusal(review, protections, deadline);
    if (refusal.isPresent()) {
      List<Protection> remaining = eligible.apply(protections);
      if (remaining.size() < protections.size()) {
        refusal = refusal(review, remaining, deadline);
      }
    }
    refusal.ifPresent(refusing -> {
      LOG.info("Refused in {}: {}", review.cluster(), refusing.message());
      context.listener().reference(refusing.label());
    });
    return refusal;
  }

  private Optional<RaceRefusal> refusal(
      ReferenceReview review, List<Protection> protections, Deadline deadline) {
    List<Added> added =
        NewReferences.of(protections, review.type(), review.before(), review.after());
    if (added.size() > ADDED_MAX) {
      return Optional.of(tooMany(review, added.size()));
    }
    var retries = new RetryBudget(deadline, context.pause());
    var announced = new ArrayList<Recorded>();
    for (Added one : added) {
      Announcement announcement = announcement(review, one.referred().reference());
      RegisterKey key = key(review.cluster(), one.referred());
      Optional<Refusal> refusal =
          new Run(review, key, one.referred(), deadline, retries)
              .judged(
                  ReferenceStep.first(
                      announcement, one.demand(), review.recording(), context.timings()));
      if (refusal.isEmpty() && review.recording() == Recording.RECORDED) {
        announced.add(new Recorded(key, announcement.id()));
      }
      // A late answer is ignored by the API server, but its announcement would block deletions.
      if (refusal.isEmpty() && deadline.isOver()) {
        refusal = Optional.of(new Refusal.Unknown(DeletionRace.NO_TIME));
      }
      if (refusal.isPresent()) {
        withdraw(announced);
        return Optional.of(refused(review, one.referred(), refusal.get()));
      }
    }
    if (!added.isEmpty()) {
      context.listener().reference("granted");
    }
    return Optional.empty();
  }

  /** One reference, on one thread. */
  private final class Run {
    private final ReferenceReview review;
    private final RegisterKey key;
    private final Referred referred;
    private final Deadline deadline;
    private final RetryBudget retries;

    /** Returned by the write of the announcement; used once. */
    private Optional<Intents> atAnnouncement = Optional.empty();

    Run(
        ReferenceReview review,
        RegisterKey key,
        Referred referred,
        Deadline deadline,
        RetryBudget retries) {
      this.review = review;
      this.key = key;
      this.referred = referred;
      this.deadline = deadline;
      this.retries = retries;
    }

    Optional<Refusal> judged(ReferenceStep first) {
      ReferenceStep step = first;
      while (!(step instanceof ReferenceStep.Answered(var refusal))) {
        step = next(step);
      }
      return refusal;
    }

    private ReferenceStep next(ReferenceStep step) {
      return switch (step) {
        case ReferenceStep.Access access when deadline.isOver() ->
            access.failed(DeletionRace.NO_TIME);
        case ReferenceStep.Access access -> {
          try {
            yield afterAccess(access);
          } catch (RegisterFailure e) {
            yield access.failed(e.refusal());
          }
        }
        // The budget ends with the deadline.
        case ReferenceStep.Await await -> retries.await() ? await.again() : await.enough();
        case ReferenceStep.Withdraw withdraw -> {
          withdraw(List.of(new Recorded(key, withdraw.review().announcement().id())));
          yield withdraw.done();
        }
        case ReferenceStep.Answered answered -> answered;
      };
    }

    private ReferenceStep afterAccess(ReferenceStep.Access access) {
      return switch (access) {
        case ReferenceStep.Announce announce -> {
          atAnnouncement =
              Optional.of(context.register().announce(key, announce.review().announcement()));
          yield announce.announced();
        }
        case ReferenceStep.ReadIntents read -> {
          Intents intents = atAnnouncement.orElseGet(() -> context.register().intents(key));
          atAnnouncement = Optional.empty();
          yield read.read(intents);
        }
        case ReferenceStep.ReadTarget read -> {
          try {
            yield read.read(
                LiveTargets.of(
                    context.workspaces().apply(review.cluster()),
                    referred.type(),
                    referred.reference()),
                context.clock().instant());
          } catch (KubeFailure e) {
            yield read.failed(
                "reading "
                    + named(referred)
                    + ": "
                    + MissingRight.explained(e, "get and list", referred.type(), review.cluster()));
          }
        }
      };
    }
  }

  private void withdraw(List<Recorded> announced) {
    for (Recorded one : announced) {
      try {
        context.register().withdrawAnnouncement(one.key(), one.id());
      } catch (RegisterFailure e) {
        LOG.warn("An announced reference to {} expires by itself: {}", one.key(), e.getMessage());
      }
    }
  }

  private Announcement announcement(ReferenceReview review, Reference reference) {
    KubeObject after = review.after();
    String uid = review.before().map(KubeObject::uid).orElseGet(after::uid);
    var dependent = new DependentId(review.type(), after.namespace(), after.name(), uid);
    return new Announcement(
        context.ids().next(),
        dependent,
        reference.namespace(),
        review
            .before()
            .<Announcement.Request>map(
                before -> new Announcement.Request.Change(before.resourceVersion()))
            .orElseGet(Announcement.Request.Creation::new),
        context.clock().instant());
  }

  private static RaceRefusal refused(ReferenceReview review, Referred referred, Refusal refusal) {
    return RaceRefusal.of(
        refusal, subject(review) + " cannot refer to " + named(referred), named(referred));
  }

  private static RaceRefusal tooMany(ReferenceReview review, int added) {
    return new RaceRefusal(
        403,
        "Forbidden",
        "%s adds %d references at once; add at most %d in one request"
            .formatted(subject(review), added, ADDED_MAX),
        Duration.ZERO,
        "too_many");
  }

  private static RegisterKey key(LogicalCluster cluster, Referred referred) {
    return new RegisterKey(cluster, referred.groupResource(), referred.reference().name());
  }

  private static String subject(ReferenceReview review) {
    return review.type().resource() + "/" + review.after().name();
  }

  private static String named(Referred referred) {
    return referred.type().resource() + "/" + referred.reference().name();
  }
}
