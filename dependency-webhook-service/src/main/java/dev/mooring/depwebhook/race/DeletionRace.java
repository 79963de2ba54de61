package dev.mooring.depwebhook.race;

import dev.mooring.depwebhook.lookup.DeletionGate;
import dev.mooring.depwebhook.lookup.DeletionQuery;
import dev.mooring.depwebhook.lookup.DeletionQuery.Claimed;
import dev.mooring.depwebhook.lookup.MissingRight;
import dev.mooring.depwebhook.lookup.ServedTypes;
import dev.mooring.depwebhook.lookup.ServedTypes.Served;
import dev.mooring.depwebhook.lookup.decide.LookupResult;
import dev.mooring.depwebhook.race.RegisterStore.RegisterFailure;
import dev.mooring.depwebhook.race.decide.DeletionClaim;
import dev.mooring.depwebhook.race.decide.DeletionStep;
import dev.mooring.depwebhook.race.decide.DeletionStep.Answer;
import dev.mooring.depwebhook.race.decide.DeletionStep.Finding;
import dev.mooring.depwebhook.race.decide.DependentId;
import dev.mooring.depwebhook.race.decide.LiveDependent;
import dev.mooring.depwebhook.race.decide.LiveDependent.Relation;
import dev.mooring.depwebhook.race.decide.Refusal;
import dev.mooring.depwebhook.race.decide.RegisterKey;
import dev.mooring.depwebhook.race.decide.RegisterPage;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reviews one deletion of a target of race-free rules: carries out the steps of {@link
 * DeletionStep} around the lookup. Used by one thread.
 */
final class DeletionRace {
  private static final Logger LOG = LoggerFactory.getLogger(DeletionRace.class);
  static final String NO_TIME =
      "kcp answered too slowly to look at everything before the API server gives up; ask again";

  private final RaceContext context;
  private final DeletionGate lookup;
  private final DeletionQuery query;
  private final List<MatchedRule> protections;
  private final RegisterKey key;
  private final KubeReader workspace;

  /** Returned by the write of the deletion claim; empty for a dry run. */
  private Optional<RegisterPage> atClaim = Optional.empty();

  private Optional<Claimed> claimed = Optional.empty();
  private Optional<LookupResult> result = Optional.empty();

  /**
   * @param protections of the target that are race-free and deny; never empty
   */
  DeletionRace(
      RaceContext context,
      DeletionGate lookup,
      DeletionQuery query,
      List<MatchedRule> protections) {
    this.context = context;
    this.lookup = lookup;
    this.query = query;
    this.protections = protections;
    Target target = query.target();
    this.key = new RegisterKey(target.key().cluster(), target.type(), target.key().name());
    this.workspace = context.workspaces().in(target.key().cluster());
  }

  LookupResult run() {
    var claim = new DeletionClaim(context.ids().next(), query.uid(), context.clock().instant());
    DeletionStep step =
        DeletionStep.first(
            claim, query.target().key().namespace(), query.recording(), context.timings());
    while (!(step instanceof DeletionStep.Answered(var answer))) {
      step = next(step, claim);
    }
    return answered(answer);
  }

  private DeletionStep next(DeletionStep step, DeletionClaim claim) {
    return switch (step) {
      case DeletionStep.Access access when late() -> access.failed(NO_TIME);
      case DeletionStep.Access access -> {
        try {
          yield afterAccess(access, claim);
        } catch (RegisterFailure e) {
          yield access.failed(e.refusal());
        }
      }
      case DeletionStep.Withdraw withdraw -> {
        withdraw(claim);
        yield withdraw.done();
      }
      case DeletionStep.Answered answered -> answered;
    };
  }

  private DeletionStep afterAccess(DeletionStep.Access access, DeletionClaim claim) {
    return switch (access) {
      case DeletionStep.ClaimDeletion claimDeletion -> {
        atClaim = Optional.of(context.register().claimDeletion(key, claim));
        yield claimDeletion.claimed();
      }
      case DeletionStep.ReadReferenceClaims read ->
          read.read(
              atClaim.orElseGet(() -> context.register().page(key)), context.clock().instant());
      case DeletionStep.ReadDependent read -> {
        try {
          yield read.read(live(read.dependent()), context.clock().instant());
        } catch (KubeFailure e) {
          yield read.failed(
              "reading %s, which was about to refer: ".formatted(read.dependent())
                  + MissingRight.explained(
                      e, "get", read.dependent().type(), query.target().key().cluster()));
        }
      }
      case DeletionStep.LookUp look -> {
        LookupResult found;
        try {
          found = lookup.findReferrers(query.with(look.referrer().flatMap(_ -> claimed)));
        } catch (KubeFailure e) {
          yield look.failed(e.getMessage());
        } catch (RuntimeException e) {
          // The deletion claim, which blocks references, is withdrawn after a bug as well.
          LOG.error("Lookup of the referrers of {} failed", query.target().key(), e);
          yield look.failed("the dependency webhook failed; its log tells why");
        }
        result = Optional.of(found);
        if (!found.allowsDeletion()) {
          yield look.found(Finding.REFERENCED);
        }
        // A late answer is ignored by the API server, but its deletion claim would block
        // references.
        yield late() ? look.failed(NO_TIME) : look.found(Finding.FREE);
      }
    };
  }

  private boolean late() {
    return query.deadline().isOver();
  }

  private LiveDependent live(DependentId dependent) {
    try {
      return live(dependent, dependent.type());
    } catch (KubeFailure failure) {
      if (failure.kind() != KubeFailure.Kind.NOT_SERVED) {
        throw failure;
      }
      return switch (ServedTypes.find(workspace, dependent.type())) {
        case Served.Nowhere() -> new LiveDependent.Absent();
        // A rule reads the fields of its own version.
        case Served.InOtherVersions(var versions) ->
            live(dependent, inVersionOfARule(dependent, versions).orElseThrow(() -> failure));
        // It came to be served between the two requests; the client retries.
        case Served.InNamespaces(), Served.ClusterWide() -> throw failure;
      };
    }
  }

  private Optional<ResourceType> inVersionOfARule(DependentId dependent, List<String> served) {
    var type = GroupResource.of(dependent.type());
    return protections.stream()
        .map(protection -> protection.rule().dependent().type())
        .filter(known -> GroupResource.of(known).equals(type))
        .filter(known -> served.contains(known.version()))
        .findFirst();
  }

  private LiveDependent live(DependentId dependent, ResourceType type) {
    Optional<KubeObject> found = workspace.find(type, dependent.namespace(), dependent.name());
    if (found.isEmpty()) {
      return new LiveDependent.Absent();
    }
    KubeObject object = found.get();
    boolean refers = refers(dependent, object);
    if (refers) {
      claimed = Optional.of(new Claimed(type, object));
    }
    return new LiveDependent.Present(
        object.uid(), object.resourceVersion(), refers ? Relation.REFERS : Relation.DOES_NOT_REFER);
  }

  private boolean refers(DependentId dependent, KubeObject object) {
    var type = GroupResource.of(dependent.type());
    return protections.stream()
        .filter(p -> GroupResource.of(p.rule().dependent().type()).equals(type))
        .anyMatch(p -> p.rule().reader(p.dependency()).read(object).mayMean(query.target()));
  }

  private void withdraw(DeletionClaim claim) {
    try {
      context.register().withdraw(key, claim.id());
    } catch (RegisterFailure e) {
      LOG.warn(
          "The claim to delete {} expires by itself: {}", query.target().key(), e.getMessage());
    }
  }

  private LookupResult answered(Answer answer) {
    return switch (answer) {
      case Answer.Granted() -> {
        context.metrics().deletion("granted");
        yield result.orElseThrow();
      }
      case Answer.Referenced() -> {
        context.metrics().deletion("referenced");
        yield result.orElseThrow();
      }
      case Answer.Refused(var refusal) -> {
        LookupResult instead = refused(refusal);
        context.metrics().deletion(instead.allowsDeletion() ? "granted" : refusal.label());
        yield instead;
      }
    };
  }

  /** Eligibility is checked only after a refusal: an allowed deletion costs no such requests. */
  private LookupResult refused(Refusal refusal) {
    protections.forEach(query.eligibility()::prefetch);
    if (protections.stream().noneMatch(query.eligibility()::isEligible)) {
      return lookup.findReferrers(query);
    }
    Target target = query.target();
    String named = target.type().resource() + "/" + target.key().name();
    return new LookupResult.Contended(refusal.forClient("cannot delete " + named, named));
  }
}
