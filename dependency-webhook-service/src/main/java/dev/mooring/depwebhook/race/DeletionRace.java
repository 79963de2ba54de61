package dev.mooring.depwebhook.race;

import dev.mooring.depwebhook.lookup.MissingRight;
import dev.mooring.depwebhook.lookup.ServedTypes;
import dev.mooring.depwebhook.lookup.decide.Served;
import dev.mooring.depwebhook.race.decide.Announcements;
import dev.mooring.depwebhook.race.decide.DeletionStep;
import dev.mooring.depwebhook.race.decide.DeletionStep.Answer;
import dev.mooring.depwebhook.race.decide.DeletionStep.Finding;
import dev.mooring.depwebhook.race.decide.DependentId;
import dev.mooring.depwebhook.race.decide.Intent;
import dev.mooring.depwebhook.race.decide.LiveDependent;
import dev.mooring.depwebhook.race.decide.LiveDependent.Relation;
import dev.mooring.depwebhook.race.decide.RaceRefusal;
import dev.mooring.depwebhook.race.decide.Recording;
import dev.mooring.depwebhook.race.decide.RegisterKey;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges deletions of targets of race-free rules: carries out the steps of {@link DeletionStep}
 * around a judgement that somebody else makes. Thread-safe.
 */
public final class DeletionRace {
  private static final Logger LOG = LoggerFactory.getLogger(DeletionRace.class);

  static final String NO_TIME =
      "kcp answered too slowly to look at everything before the API server gives up; ask again";

  private final RaceContext context;

  public DeletionRace(RaceContext context) {
    this.context = Objects.requireNonNull(context, "context");
  }

  /**
   * One deletion.
   *
   * @param uid of the target
   * @param protections those about it that are race-free and deny; never empty
   * @param answerBy when nobody listens any more: by then a deletion is refused, and leaves nothing
   *     in the register
   */
  public record Deletion(
      Target target,
      String uid,
      List<Protection> protections,
      Recording recording,
      Instant answerBy) {
    public Deletion {
      Objects.requireNonNull(target, "target");
      Objects.requireNonNull(uid, "uid");
      Objects.requireNonNull(recording, "recording");
      Objects.requireNonNull(answerBy, "answerBy");
      protections = List.copyOf(protections);
      if (protections.isEmpty()) {
        throw new IllegalArgumentException("no race-free rule is about " + target.key());
      }
    }
  }

  /**
   * A referrer that the register knows and that was just read; an index may not show it yet.
   *
   * @param type in the version of its rule
   */
  public record Announced(ResourceType type, KubeObject object) {}

  /**
   * The judgement that stands, made while no reference can come in between.
   *
   * @param judge looks for referrers, the announced one among them if there is one; perhaps called
   *     again without it. An index it uses must be younger than the terms say
   * @param allows whether a judgement lets the deletion go ahead
   * @param refused makes a judgement of a refusal by the register; the intent is taken back by then
   */
  public <V> V judged(
      Deletion deletion,
      Function<Optional<Announced>, V> judge,
      Predicate<V> allows,
      Function<RaceRefusal, V> refused) {
    return new Run<>(deletion, judge, allows, refused).run();
  }

  /** One review's way through the steps, on one thread. */
  private final class Run<V> {
    private final Deletion deletion;
    private final Function<Optional<Announced>, V> judge;
    private final Predicate<V> allows;
    private final Function<RaceRefusal, V> refused;
    private final RegisterKey key;
    private final KubeReader workspace;

    /** Read by the write of the intent, so not before it; not of a deletion that is only asked. */
    private Optional<Announcements> atIntent = Optional.empty();

    private Optional<Announced> announced = Optional.empty();
    private V judgement;

    Run(
        Deletion deletion,
        Function<Optional<Announced>, V> judge,
        Predicate<V> allows,
        Function<RaceRefusal, V> refused) {
      this.deletion = deletion;
      this.judge = judge;
      this.allows = allows;
      this.refused = refused;
      Target target = deletion.target();
      this.key = new RegisterKey(target.key().cluster(), target.type(), target.key().name());
      this.workspace = context.workspaces().apply(target.key().cluster());
    }

    V run() {
      var intent = new Intent(context.ids().next(), deletion.uid(), context.clock().instant());
      DeletionStep step =
          DeletionStep.first(
              intent, deletion.target().key().namespace(), deletion.recording(), context.timings());
      while (true) {
        switch (step) {
          case DeletionStep.Answered(var answer) -> {
            return answered(answer);
          }
          default -> step = next(late() ? DeletionStep.abandoned(step, NO_TIME) : step, intent);
        }
      }
    }

    private DeletionStep next(DeletionStep step, Intent intent) {
      return switch (step) {
        case DeletionStep.Intend intend -> {
          try {
            atIntent = Optional.of(context.register().intend(key, intent));
            yield intend.intended();
          } catch (RegisterFailure e) {
            yield intend.failed(e.refusal());
          }
        }
        case DeletionStep.ReadAnnouncements read -> {
          try {
            yield read.read(
                atIntent.orElseGet(() -> context.register().announcements(key)),
                context.clock().instant());
          } catch (RegisterFailure e) {
            yield read.failed(e.getMessage());
          }
        }
        case DeletionStep.ReadDependent read -> {
          try {
            yield read.read(live(read.dependent()), context.clock().instant());
          } catch (KubeFailure e) {
            yield read.failed(
                "reading "
                    + read.dependent()
                    + ", which was about to refer: "
                    + MissingRight.explained(
                        e, "get", read.dependent().type(), deletion.target().key().cluster()));
          }
        }
        case DeletionStep.LookUp lookup -> {
          try {
            judgement = judge.apply(lookup.referrer().flatMap(_ -> announced));
          } catch (KubeFailure e) {
            yield lookup.failed(e.getMessage());
          } catch (RuntimeException e) {
            // The intent, which keeps references out, is taken back for a mistake of ours too.
            LOG.error("Could not look for what refers to {}", deletion.target().key(), e);
            yield lookup.failed("the dependency webhook failed; its log tells why");
          }
          if (!allows.test(judgement)) {
            yield lookup.found(Finding.REFERENCED);
          }
          // Leave that comes too late is never used, but would stand in the way of references.
          yield late() ? lookup.failed(NO_TIME) : lookup.found(Finding.FREE);
        }
        case DeletionStep.Withdraw withdraw -> {
          withdraw(intent);
          yield withdraw.done();
        }
        case DeletionStep.Answered answered -> answered;
      };
    }

    private boolean late() {
      return !context.deadlines().instant().isBefore(deletion.answerBy());
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
          // What a rule reads is where its own version has it.
          case Served.InOtherVersions(var versions) ->
              live(dependent, inVersionOfARule(dependent, versions).orElseThrow(() -> failure));
          // It came to be served between the two requests; the client asks again.
          case Served.InNamespaces(), Served.ClusterWide() -> throw failure;
        };
      }
    }

    private Optional<ResourceType> inVersionOfARule(DependentId dependent, List<String> served) {
      var type = GroupResource.of(dependent.type());
      return deletion.protections().stream()
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
        announced = Optional.of(new Announced(type, object));
      }
      return new LiveDependent.Present(
          object.uid(),
          object.resourceVersion(),
          refers ? Relation.REFERS : Relation.DOES_NOT_REFER);
    }

    private boolean refers(DependentId dependent, KubeObject object) {
      var type = GroupResource.of(dependent.type());
      return deletion.protections().stream()
          .filter(p -> GroupResource.of(p.rule().dependent().type()).equals(type))
          .anyMatch(p -> p.rule().reader(p.dependency()).read(object).mayMean(deletion.target()));
    }

    private void withdraw(Intent intent) {
      try {
        context.register().withdrawIntent(key, intent.id());
      } catch (RegisterFailure e) {
        LOG.warn(
            "The intent to delete {} expires by itself: {}",
            deletion.target().key(),
            e.getMessage());
      }
    }

    private V answered(Answer answer) {
      return switch (answer) {
        case Answer.Granted() -> {
          context.listener().deletion("granted");
          yield judgement;
        }
        case Answer.Referenced() -> {
          context.listener().deletion("referenced");
          yield judgement;
        }
        case Answer.Refused(var refusal) -> {
          Target target = deletion.target();
          String named = target.type().resource() + "/" + target.key().name();
          RaceRefusal refusing = RaceRefusal.of(refusal, "cannot delete " + named, named);
          V instead = refused.apply(refusing);
          context.listener().deletion(allows.test(instead) ? "granted" : refusing.label());
          yield instead;
        }
      };
    }
  }
}
