package dev.mooring.depwebhook.race;

import dev.mooring.depwebhook.lookup.DeletionGate;
import dev.mooring.depwebhook.lookup.DeletionQuery;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.LookupResult;
import dev.mooring.depwebhook.race.decide.RaceTimings;
import dev.mooring.depwebhook.reading.Workspaces;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.model.dependency.Mode;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.time.Clocks;
import dev.mooring.runtime.time.Ids;
import dev.mooring.runtime.time.Pause;
import dev.mooring.runtime.time.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Race protection, the only entry of its package: a deletion and a new reference to its target
 * never both succeed. Each side records itself in a register of Leases and then reads the other
 * side's records. Only rules with {@code raceProtection: strict} use it, which is not the default.
 * Thread-safe.
 */
public final class RaceProtection implements DeletionGate, AutoCloseable {
  private final RaceContext context;
  private final DeletionGate lookup;
  private final Scheduler.Scheduled sweeps;

  RaceProtection(RaceContext context, DeletionGate lookup, Scheduler.Scheduled sweeps) {
    this.context = context;
    this.lookup = lookup;
    this.sweeps = sweeps;
  }

  /** Time and chance of this process. */
  public record Machine(
      Clocks clocks, Scheduler scheduler, RandomGenerator chance, Pause pause, Ids ids) {}

  /**
   * @param register the workspace of the dependencies' APIExport
   * @param namespace of the register's Leases; it has to exist
   * @param workspaces reads of one consumer's workspace
   * @param indexAge at which an index of dependents no longer answers
   * @param lookup of dependents; an index that it uses must be younger than {@code indexAge}
   */
  public static RaceProtection start(
      KubeClient register,
      String namespace,
      Workspaces<KubeReader> workspaces,
      Duration indexAge,
      Machine machine,
      RaceMetrics metrics,
      DeletionGate lookup) {
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
            metrics);
    // At random, so that replicas that started together do not sweep together.
    Duration period =
        RegisterSweep.INTERVAL.plusMillis(
            machine.chance().nextLong(RegisterSweep.INTERVAL.toMillis()));
    var sweep = new RegisterSweep(store::sweep, period, metrics);
    return new RaceProtection(
        context, lookup, machine.scheduler().repeat(period, "race-sweep", sweep));
  }

  /**
   * Looks within the register for what refers to a target of rules that ask for it, so that no new
   * reference can come in before the target is deleted. Once the query's deadline is over, the
   * deletion is denied and has no record in the register.
   */
  @Override
  public LookupResult findReferrers(DeletionQuery query) {
    List<MatchedRule> raced =
        query.protections().stream()
            .filter(protection -> protection.rule().guardsReferences())
            .filter(protection -> protection.mode() == Mode.DENY)
            .toList();
    if (raced.isEmpty()) {
      return lookup.findReferrers(query);
    }
    if (query.searches().stream().allMatch(DependentSearch::mayBeIndexed)) {
      LookupResult indexed = lookup.findReferrers(query);
      if (!indexed.allowsDeletion()) {
        // A denial needs no record in the register.
        return indexed;
      }
    }
    return new DeletionRace(context, lookup, query, raced).run();
  }

  RaceContext context() {
    return context;
  }

  @Override
  public void close() {
    sweeps.cancel();
  }
}
