package dev.mooring.depwebhook.race;

import dev.mooring.depwebhook.lookup.decide.ClientRefusal;
import dev.mooring.depwebhook.race.decide.RaceTimings;
import dev.mooring.depwebhook.race.decide.Recording;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.time.Clocks;
import dev.mooring.runtime.time.Ids;
import dev.mooring.runtime.time.Pause;
import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Race protection, the only entry of its package: a deletion and a new reference to its target
 * never both succeed. Each side records itself in a register of Leases and then reads the other
 * side's records. Only rules with {@code raceProtection: strict} use it, which is not the default.
 * Thread-safe.
 */
public final class RaceProtection implements AutoCloseable {
  private final RaceContext context;
  private final Runnable endSweep;

  RaceProtection(RaceContext context, Runnable endSweep) {
    this.context = context;
    this.endSweep = endSweep;
  }

  /** Time and chance of this process. */
  public record Machine(
      Clocks clocks, Scheduler scheduler, RandomGenerator chance, Pause pause, Ids ids) {}

  /**
   * @param register the workspace of the dependencies' APIExport
   * @param namespace of the register's Leases; it has to exist
   * @param workspaces reads of one consumer's workspace
   * @param indexAge at which an index of dependents no longer answers
   */
  public static RaceProtection start(
      KubeClient register,
      String namespace,
      Function<LogicalCluster, KubeReader> workspaces,
      Duration indexAge,
      Machine machine,
      RaceListener listener) {
    var timings =
        new RaceTimings(RaceTimings.STANDARD.commit(), indexAge, RaceTimings.STANDARD.skew());
    var store = new RegisterStore(register, namespace, machine.clocks().wall(), timings);
    var context =
        new RaceContext(
            store,
            workspaces,
            timings,
            machine.ids(),
            machine.clocks().wall(),
            machine.pause(),
            listener);
    RegisterSweep sweep =
        RegisterSweep.start(store::sweep, machine.scheduler(), machine.chance(), listener);
    return new RaceProtection(context, sweep::close);
  }

  /**
   * One deletion.
   *
   * @param uid of the target
   * @param protections of the target that are race-free and deny; never empty
   * @param deadline once it is over, the deletion is denied and has no record in the register
   */
  public record Deletion(
      Target target,
      String uid,
      List<Protection> protections,
      Recording recording,
      Deadline deadline) {
    public Deletion {
      protections = List.copyOf(protections);
      if (protections.isEmpty()) {
        throw new IllegalArgumentException("no race-free rule protects " + target.key());
      }
    }
  }

  /**
   * A referrer from the register that was just read; an index may not show it yet.
   *
   * @param type in the version of its rule
   */
  public record Announced(ResourceType type, KubeObject object) {}

  /**
   * Evaluates a deletion while no new reference can be added.
   *
   * @param evaluate looks for referrers, the announced one among them if there is one; may be
   *     called again without it. An index that it uses must be younger than {@code indexAge}
   * @param allows whether a result lets the deletion go ahead
   * @param refused converts a refusal by the register; the intent is withdrawn by then
   */
  public <V> V deletion(
      Deletion deletion,
      Function<Optional<Announced>, V> evaluate,
      Predicate<V> allows,
      Function<ClientRefusal, V> refused) {
    return new DeletionRace<>(context, deletion, evaluate, allows, refused).run();
  }

  /**
   * Empty if a request that adds references may go ahead. Eligibility is checked only after a
   * refusal: an allowed request costs no such reads.
   *
   * @param protections race-free, of the reviewed object's type
   * @param deadline once it is over, the request is denied
   * @param eligible keeps those that may protect
   */
  public Optional<ClientRefusal> reference(
      ReferenceReview review,
      List<Protection> protections,
      Deadline deadline,
      UnaryOperator<List<Protection>> eligible) {
    return new ReferenceRace(context, review, deadline).refusal(protections, eligible);
  }

  @Override
  public void close() {
    endSweep.run();
  }
}
