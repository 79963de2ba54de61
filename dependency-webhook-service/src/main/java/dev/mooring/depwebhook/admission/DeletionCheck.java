package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.BypassRequest;
import dev.mooring.depwebhook.admission.decide.DeletionPolicy;
import dev.mooring.depwebhook.admission.decide.Verdict;
import dev.mooring.depwebhook.admission.decide.Verdict.Allow;
import dev.mooring.depwebhook.admission.decide.Verdict.AllowReason;
import dev.mooring.depwebhook.bypass.BypassPermissions;
import dev.mooring.depwebhook.disclosure.Disclosure;
import dev.mooring.depwebhook.eligibility.EligibilityChecker;
import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.lookup.ReferrerLookup;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Lookup;
import dev.mooring.depwebhook.race.decide.Recording;
import dev.mooring.depwebhook.reading.PendingRead;
import dev.mooring.depwebhook.rules.ProviderPaths;
import dev.mooring.depwebhook.rules.RuleSource;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.model.dependency.Bypass;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.access.Caller;
import dev.mooring.runtime.client.KubeFailure;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Gathers what is needed to judge one deletion: rules, then bypasses, then referrers, then, only if
 * it would be refused, whether the workspace is going. Reviews and explanations share it.
 * Thread-safe.
 */
public final class DeletionCheck {
  private final RuleSource rules;
  private final ProviderPaths providers;
  private final ReferrerLookup lookup;
  private final RacedDeletions races;
  private final EligibilityChecker checker;
  private final BypassPermissions permissions;
  private final Disclosure disclosure;
  private final InstantSource clock;

  public DeletionCheck(
      RuleSource rules,
      ProviderPaths providers,
      ReferrerLookup lookup,
      RacedDeletions races,
      EligibilityChecker checker,
      BypassPermissions permissions,
      Disclosure disclosure,
      InstantSource clock) {
    this.rules = Objects.requireNonNull(rules, "rules");
    this.providers = Objects.requireNonNull(providers, "providers");
    this.lookup = Objects.requireNonNull(lookup, "lookup");
    this.races = Objects.requireNonNull(races, "races");
    this.checker = Objects.requireNonNull(checker, "checker");
    this.permissions = Objects.requireNonNull(permissions, "permissions");
    this.disclosure = Objects.requireNonNull(disclosure, "disclosure");
    this.clock = Objects.requireNonNull(clock, "clock");
  }

  /**
   * Which deletion, and who wants it.
   *
   * @param object the target as it is; of it only the annotations matter
   * @param provider whose export the target belongs to; empty if the caller did not say
   * @param recording whether the deletion is meant
   * @param reader who reads the verdict's messages
   * @param deadline who waits for the verdict
   */
  public record Question(
      Target target,
      KubeObject object,
      Caller caller,
      Optional<LogicalCluster> provider,
      Recording recording,
      Reader reader,
      ReviewDeadline deadline) {
    public Question {
      Objects.requireNonNull(reader, "reader");
      Objects.requireNonNull(deadline, "deadline");
      Objects.requireNonNull(recording, "recording");
      Objects.requireNonNull(target, "target");
      Objects.requireNonNull(object, "object");
      Objects.requireNonNull(caller, "caller");
      Objects.requireNonNull(provider, "provider");
    }

    /** Who reads the messages of a verdict. */
    public enum Reader {
      /** The caller, who need not be allowed to see what refers to the target. */
      CALLER,
      /** The operator of the webhook, whose rights cover it. */
      OPERATOR
    }

    /** One that an operator asks. */
    public Question(
        Target target, KubeObject object, Caller caller, Optional<LogicalCluster> provider) {
      this(
          target,
          object,
          caller,
          provider,
          Recording.DRY_RUN,
          Reader.OPERATOR,
          ReviewDeadline.patient());
    }
  }

  /**
   * A verdict and what led to it.
   *
   * @param protections the statements of rules that were considered; empty if it did not come to
   *     that
   * @param waived those of them that were bypassed
   */
  public record Checked(Verdict verdict, List<Protection> protections, List<Protection> waived) {
    public Checked {
      Objects.requireNonNull(verdict, "verdict");
      protections = List.copyOf(protections);
      waived = List.copyOf(waived);
    }

    /** Qualified names of the rules that were bypassed, each once. */
    public List<String> waivedRules() {
      return waived.stream()
          .map(protection -> protection.rule().qualifiedName())
          .distinct()
          .toList();
    }

    /** For an entry of this mode. */
    Checked under(Mode mode) {
      return new Checked(DeletionPolicy.under(mode, verdict), protections, waived);
    }
  }

  /**
   * @throws KubeFailure if the deadline leaves before it is told
   */
  public Checked check(Question question) {
    return switch (rules.current()) {
      case RuleSource.Loading(_) ->
          new Checked(DeletionPolicy.RULES_NOT_LOADED, List.of(), List.of());
      case RuleSource.Stale(_, _) -> new Checked(DeletionPolicy.RULES_STALE, List.of(), List.of());
      case RuleSource.Loaded(RuleIndex index) ->
          check(question, protections(index, question.target(), question.provider()));
    };
  }

  /**
   * The statements about a target that kcp passed by when it let it go for its annotation: by rules
   * as they were last known, and whatever these say of bypasses now.
   *
   * @return empty if rules are not known yet
   */
  Optional<List<Protection>> passedBy(
      Target target, KubeObject object, Optional<LogicalCluster> provider) {
    return switch (rules.current()) {
      case RuleSource.Loading(_) -> Optional.empty();
      case RuleSource.Stale(RuleIndex index, _) ->
          Optional.of(passedBy(index, target, object, provider));
      case RuleSource.Loaded(RuleIndex index) ->
          Optional.of(passedBy(index, target, object, provider));
    };
  }

  private List<Protection> passedBy(
      RuleIndex index, Target target, KubeObject object, Optional<LogicalCluster> provider) {
    return switch (BypassRequest.of(object, clock.instant())) {
      case BypassRequest.Always() -> protections(index, target, provider);
      // kcp knows of no others.
      case BypassRequest.None(), BypassRequest.Until(_), BypassRequest.Void(_) -> List.of();
    };
  }

  private List<Protection> protections(
      RuleIndex index, Target target, Optional<LogicalCluster> provider) {
    return index.about(target.type()).isEmpty()
        ? List.of()
        : index.about(target.type(), provider.flatMap(providers::of));
  }

  private Checked check(Question question, List<Protection> protections) {
    if (protections.isEmpty()) {
      return new Checked(new Allow(AllowReason.NO_RULES), List.of(), List.of());
    }
    var why = new ArrayList<String>();
    ReviewDeadline deadline = question.deadline();
    List<Protection> waived = deadline.during(() -> waived(question, protections, why));
    List<Protection> inForce =
        protections.stream().filter(protection -> !waived.contains(protection)).toList();
    if (inForce.isEmpty()) {
      return new Checked(new Allow(AllowReason.SKIP_PROTECTION), protections, waived);
    }
    Target target = question.target();
    RuleEligibility eligibility = checker.about(target, question.provider());
    var attended = new TimedEligibility(eligibility, deadline);
    Verdict verdict =
        races.judged(
            new RacedDeletions.Judged(
                target,
                question.object().uid(),
                inForce,
                attended,
                question.recording(),
                lookup -> DeletionPolicy.judge(target, shown(question, inForce, lookup)),
                deadline.until()),
            // The register's steps are around this, and so are not interrupted with it.
            () ->
                deadline.during(
                    () -> lookup.referrers(target, DependentSearch.forAll(inForce), eligibility)));
    if (!(verdict instanceof Allow)) {
      verdict = DeletionPolicy.inWorkspace(verdict, attended.workspace());
    }
    return new Checked(DeletionPolicy.withoutBypass(verdict, why), protections, waived);
  }

  private Lookup shown(Question question, List<Protection> asked, Lookup found) {
    return switch (question.reader()) {
      case OPERATOR -> found;
      case CALLER ->
          question
              .deadline()
              .during(() -> disclosure.shown(question.caller(), question.target(), asked, found));
    };
  }

  /**
   * @param why is told why an annotation does not help
   */
  private List<Protection> waived(
      Question question, List<Protection> protections, List<String> why) {
    BypassRequest request = BypassRequest.of(question.object(), clock.instant());
    if (request instanceof BypassRequest.Void(var problem)) {
      why.add("the annotation does not count: " + problem);
    }
    if (!request.requested()) {
      return List.of();
    }
    var permitted = new HashMap<Permission, PendingRead<Optional<String>>>();
    for (Protection protection : protections) {
      if (protection.rule().enforcement().bypass() != Bypass.ANNOTATION) {
        // All rules are asked about at once, and each once whatever it depends on.
        permitted.computeIfAbsent(
            Permission.toBypass(protection),
            _ ->
                PendingRead.begin(
                    "the permission to bypass rule " + protection.rule().qualifiedName(),
                    () -> permissions.refusal(protection, question.caller(), question.provider())));
      }
    }
    var waived = new ArrayList<Protection>();
    for (Protection protection : protections) {
      Optional<String> refusal =
          Optional.ofNullable(permitted.get(Permission.toBypass(protection)))
              .flatMap(PendingRead::result);
      if (refusal.isEmpty()) {
        waived.add(protection);
      } else if (!why.contains(refusal.get())) {
        why.add(refusal.get());
      }
    }
    return waived;
  }

  /** What is asked where. */
  private record Permission(ObjectKey rule, WorkspacePath where) {
    static Permission toBypass(Protection protection) {
      return new Permission(protection.rule().key(), protection.dependency().export().path());
    }
  }
}
