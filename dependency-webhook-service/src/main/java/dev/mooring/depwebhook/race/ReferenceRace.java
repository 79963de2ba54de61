package dev.mooring.depwebhook.race;

import dev.mooring.depwebhook.admission.Review;
import dev.mooring.depwebhook.lookup.MissingRight;
import dev.mooring.depwebhook.lookup.decide.ClientRefusal;
import dev.mooring.depwebhook.lookup.decide.Recording;
import dev.mooring.depwebhook.race.RegisterStore.RegisterFailure;
import dev.mooring.depwebhook.race.decide.DependentId;
import dev.mooring.depwebhook.race.decide.NewReferences;
import dev.mooring.depwebhook.race.decide.NewReferences.Added;
import dev.mooring.depwebhook.race.decide.ReferenceClaim;
import dev.mooring.depwebhook.race.decide.ReferenceStep;
import dev.mooring.depwebhook.race.decide.Refusal;
import dev.mooring.depwebhook.race.decide.RegisterKey;
import dev.mooring.depwebhook.race.decide.RegisterPage;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Reference;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reviews one request that adds references to targets of race-free rules: carries out the steps of
 * {@link ReferenceStep} for each new reference; all have to be granted. Used by one thread.
 *
 * @param deadline once it is over, the request is denied
 */
record ReferenceRace(RaceContext context, Review.CreateOrUpdate review, Deadline deadline) {
  private static final Logger LOG = LoggerFactory.getLogger(ReferenceRace.class);

  /** Each costs several requests within the seconds of a review. */
  static final int ADDED_MAX = 100;

  /** A reference claim of this review, withdrawn if another reference is refused. */
  private record Recorded(RegisterKey key, String id) {}

  /** A refusal of this review, as the client receives it. */
  private record Refused(ClientRefusal refusal, String label) {
    Refused(Refusal refusal, String attempt, String target) {
      this(refusal.forClient(attempt, target), refusal.label());
    }
  }

  /**
   * Empty if the request may go ahead. Eligibility is checked only after a refusal: an allowed
   * request costs no such reads.
   *
   * @param protections race-free, of the reviewed object's type
   * @param eligible keeps those that may protect
   */
  Optional<ClientRefusal> refusal(
      List<MatchedRule> protections, UnaryOperator<List<MatchedRule>> eligible) {
    Optional<Refused> refused = refused(protections);
    if (refused.isPresent()) {
      List<MatchedRule> remaining = eligible.apply(protections);
      if (remaining.size() < protections.size()) {
        refused = refused(remaining);
      }
    }
    refused.ifPresent(refusing -> {
      LOG.info("Refused in {}: {}", review.cluster(), refusing.refusal().message());
      context.metrics().reference(refusing.label());
    });
    return refused.map(Refused::refusal);
  }

  private Optional<Refused> refused(List<MatchedRule> protections) {
    List<Added> added =
        NewReferences.of(protections, review.type(), review.before(), review.after());
    if (added.size() > ADDED_MAX) {
      return Optional.of(new Refused(new Refusal.TooMany(added.size(), ADDED_MAX), subject(), ""));
    }
    var retries = new RetryBudget(deadline, context.pause());
    var claimed = new ArrayList<Recorded>();
    for (Added one : added) {
      var run = new Run(one, retries);
      Optional<Refusal> refusal = run.refusal();
      if (refusal.isEmpty() && review.recording() == Recording.RECORDED) {
        claimed.add(run.recorded());
      }
      // A late answer is ignored by the API server, but its reference claim would block deletions.
      if (refusal.isEmpty() && deadline.isOver()) {
        refusal = Optional.of(new Refusal.Unknown(DeletionRace.NO_TIME));
      }
      if (refusal.isPresent()) {
        claimed.forEach(this::withdraw);
        String named = one.target();
        return Optional.of(
            new Refused(refusal.get(), subject() + " cannot refer to " + named, named));
      }
    }
    if (!added.isEmpty()) {
      context.metrics().reference("granted");
    }
    return Optional.empty();
  }

  /** One reference. */
  private final class Run {
    private final Added added;
    private final RetryBudget retries;
    private final RegisterKey key;
    private final ReferenceClaim claim;

    /** Returned by the write of the reference claim; used once. */
    private Optional<RegisterPage> atClaim = Optional.empty();

    Run(Added added, RetryBudget retries) {
      this.added = added;
      this.retries = retries;
      this.key =
          new RegisterKey(
              review.cluster(), GroupResource.of(added.type()), added.reference().name());
      this.claim = claim(added.reference());
    }

    Recorded recorded() {
      return new Recorded(key, claim.id());
    }

    Optional<Refusal> refusal() {
      ReferenceStep step =
          ReferenceStep.first(claim, added.demand(), review.recording(), context.timings());
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
          withdraw(recorded());
          yield withdraw.done();
        }
        case ReferenceStep.Answered answered -> answered;
      };
    }

    private ReferenceStep afterAccess(ReferenceStep.Access access) {
      return switch (access) {
        case ReferenceStep.ClaimReference claimReference -> {
          atClaim = Optional.of(context.register().claimReference(key, claim));
          yield claimReference.claimed();
        }
        case ReferenceStep.ReadDeletionClaims read -> {
          RegisterPage page = atClaim.orElseGet(() -> context.register().page(key));
          atClaim = Optional.empty();
          yield read.read(page);
        }
        case ReferenceStep.ReadTarget read -> {
          try {
            yield read.read(
                LiveTargets.of(
                    context.workspaces().in(review.cluster()), added.type(), added.reference()),
                context.clock().instant());
          } catch (KubeFailure e) {
            yield read.failed(
                "reading %s: ".formatted(added.target())
                    + MissingRight.explained(e, "get and list", added.type(), review.cluster()));
          }
        }
      };
    }
  }

  private void withdraw(Recorded one) {
    try {
      context.register().withdraw(one.key(), one.id());
    } catch (RegisterFailure e) {
      LOG.warn("A claimed reference to {} expires by itself: {}", one.key(), e.getMessage());
    }
  }

  private ReferenceClaim claim(Reference reference) {
    KubeObject after = review.after();
    String uid = review.before().map(KubeObject::uid).orElseGet(after::uid);
    var dependent = new DependentId(review.type(), after.namespace(), after.name(), uid);
    return new ReferenceClaim(
        context.ids().next(),
        dependent,
        reference.namespace(),
        review
            .before()
            .<ReferenceClaim.Request>map(
                before -> new ReferenceClaim.Request.Change(before.resourceVersion()))
            .orElseGet(ReferenceClaim.Request.Creation::new),
        context.clock().instant());
  }

  private String subject() {
    return review.type().resource() + "/" + review.after().name();
  }
}
