package dev.mooring.benchmarks.sync;

import dev.mooring.benchmarks.common.Figures;
import dev.mooring.benchmarks.common.Limit;
import dev.mooring.benchmarks.common.Load;
import dev.mooring.benchmarks.common.MeasuredProcess;
import dev.mooring.benchmarks.common.MeasuredProcess.Resident;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.benchmarks.common.Waiting;
import dev.mooring.benchmarks.common.Workspace;
import dev.mooring.benchmarks.sync.Agent.Phase;
import dev.mooring.benchmarks.sync.Observed.Goal;
import dev.mooring.benchmarks.sync.Stage.Parcel;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.ListQuery;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * All measurements of one agent on a stage of its own.
 *
 * @param many objects for memory and restart; 0 for not at all
 */
record SyncRun(SyncBenchmark options, Stage stage, Agent agent, int many, Figures figures) {
  /** What is still on its way after a phase has come to rest by then. */
  private static final Duration SETTLE = Duration.ofSeconds(2);

  private static final String SYNCED = "Underway";
  private static final int EVENTS_PAGE = 2_000;

  /** Requests of a phase that are no object's: the PublishedResource's counts are written. */
  private static final double COUNTS_WRITTEN = 3;

  /** Throws {@link HarnessFailure} if the agent leaves anything incomplete. */
  void measure() {
    try (MeasuredProcess first = start()) {
      stage.bind(first);
      tryOut(first);
    }
    floor();
    try (Observed sources = Observed.sources(stage);
        Observed copies = Observed.copies(stage)) {
      try (MeasuredProcess process = start()) {
        agent.awaitReady(process);
        tryOut(process);
        for (int count : options.objects) {
          phases(stage.parcels("p" + count, count), sources, copies, process);
        }
        Map<String, Long> before = agent.requests().counts();
        idle();
        figures.put(
            "idle [requests]",
            agent.requests().since(before),
            Limit.atMost(0, "watches and the Lease alone"));
        if (options.latencySeconds > 0) {
          Quantiles slow = latency(1, sources, copies);
          figures.put("latency at 1/s, p50 [ms]", slow.median(), Limit.atMost(50));
          figures.put("latency at 1/s, p99 [ms]", slow.at(0.99));
          Quantiles fast = latency(10, sources, copies);
          figures.put("latency at 10/s, p50 [ms]", fast.median());
          figures.put("latency at 10/s, p99 [ms]", fast.at(0.99), Limit.atMost(300));
        }
        Parcel edited = stage.parcels("edited", 1).getFirst();
        create(List.of(edited));
        copies.expect(List.of(edited), Optional::isPresent).await("copied");
        idle();
        figures.put(
            "an edit noticed while idle [ms]",
            Quantiles.millis(() -> edit(edited, copies)),
            Limit.atMost(1_000));
        remove(List.of(edited), sources);
      }
      if (many > 0) {
        many(sources, copies);
      }
    }
  }

  private void idle() {
    Waiting.rest(Duration.ofSeconds(options.idleSeconds));
  }

  private MeasuredProcess start() {
    return MeasuredProcess.start(
        agent.command().apply(stage), stage.directory().resolve(agent.name() + ".log"));
  }

  /** Objects in every workspace down and away again: from then on everything is in place. */
  private void tryOut(MeasuredProcess process) {
    try (Observed sources = Observed.sources(stage);
        Observed copies = Observed.copies(stage)) {
      List<Parcel> parcels = stage.parcels("warm-up", 10 * stage.consumers().size());
      create(parcels);
      copies.expect(parcels, Optional::isPresent).await("copied");
      process.requireAlive();
      remove(parcels, sources);
      awaitEvents(parcels, Phase.DOWN);
      awaitEvents(parcels, Phase.DELETION);
    }
  }

  private void floor() {
    var floor = new BareFloor(stage);
    List<Parcel> few = stage.parcels("floor-warm-up", 50);
    Load.share(few, floor::down);
    Load.share(few, floor::status);
    Load.share(few, floor::deletion);
    for (int count : options.objects) {
      List<Parcel> parcels = stage.parcels("floor" + count, count);
      floor(Phase.DOWN, parcels, floor::down);
      floor(Phase.STATUS, parcels, floor::status);
      floor(Phase.DELETION, parcels, floor::deletion);
    }
  }

  private void floor(Phase phase, List<Parcel> parcels, Consumer<Parcel> writes) {
    double millis = Quantiles.millis(() -> Load.share(parcels, writes));
    figures.put("floor, " + seconds(phase, parcels.size()), millis / 1e3);
  }

  private void phases(
      List<Parcel> parcels, Observed sources, Observed copies, MeasuredProcess process) {
    phase(
        Phase.DOWN,
        parcels,
        process,
        copies.expect(parcels, Optional::isPresent),
        () -> create(parcels));
    phase(
        Phase.STATUS,
        parcels,
        process,
        sources.expect(parcels, has(source -> source.text("status", "phase").equals(SYNCED))),
        () ->
            Load.share(
                parcels,
                parcel ->
                    stage
                        .service()
                        .patchStatus(
                            Types.PARCELS,
                            parcel.copyNamespace(),
                            parcel.name(),
                            Types.status(SYNCED))));
    for (Parcel parcel : parcels) {
      Optional<Object> spec = sources.find(parcel).map(source -> source.at("spec"));
      HarnessFailure.unless(
          spec.isPresent() && spec.equals(copies.find(parcel).map(copy -> copy.at("spec"))),
          "The copy of " + parcel.id() + " is not like its source");
    }
    Goal copiesGone = copies.expect(parcels, Optional::isEmpty);
    phase(
        Phase.DELETION,
        parcels,
        process,
        sources.expect(parcels, Optional::isEmpty),
        () -> remove(parcels));
    copiesGone.await("gone at the provider");
  }

  private void phase(
      Phase phase, List<Parcel> parcels, MeasuredProcess process, Goal goal, Runnable work) {
    int count = parcels.size();
    Map<String, Long> before = agent.requests().counts();
    double used = process.cpuSeconds();
    long begin = System.nanoTime();
    work.run();
    goal.await("through the phase " + phase.text);
    String seconds = seconds(phase, count);
    figures.put(
        seconds,
        (goal.end() - begin) / 1e9,
        Limit.over("floor, " + seconds, 2, 0, "twice the bare writes"),
        Limit.ofCompetitor(0.1, "a tenth of the competitor"));
    if (awaitEvents(parcels, phase)) {
      figures.put(
          phase.text + ", " + count + " objects, with events [s]",
          Quantiles.millisSince(begin) / 1e3);
    }
    Waiting.rest(SETTLE);
    process.requireAlive();
    figures.put(
        phase.text + ", " + count + " objects [requests/object]",
        agent.requests().since(before) / (double) count,
        Limit.atMost(phase.requestsMax + COUNTS_WRITTEN / count, "events included"));
    figures.put(
        phase.text + ", " + count + " objects [ms of processor time/object]",
        (process.cpuSeconds() - used) * 1e3 / count);
  }

  private static String seconds(Phase phase, int objects) {
    return phase.text + ", " + objects + " objects [s]";
  }

  /** Waits until every consumer has all events about every object; false if it is not known. */
  private boolean awaitEvents(List<Parcel> parcels, Phase phase) {
    List<String> reasons = agent.events().getOrDefault(phase, List.of());
    if (!reasons.isEmpty()) {
      Waiting.await(
          "every object has the events " + reasons,
          () -> {
            Map<String, Set<String>> seen = reasonsOfEvents();
            return parcels.stream()
                .allMatch(parcel -> seen.getOrDefault(parcel.id(), Set.of()).containsAll(reasons));
          });
    }
    return !reasons.isEmpty();
  }

  /** By the id of the object. */
  private Map<String, Set<String>> reasonsOfEvents() {
    var seen = new HashMap<String, Set<String>>();
    for (Workspace consumer : stage.consumers()) {
      ListQuery query = ListQuery.ALL.withLimit(EVENTS_PAGE);
      String token;
      do {
        var page = consumer.client().list(Types.EVENTS, query);
        for (KubeObject event : page.items()) {
          var about = new Parcel(consumer, event.text("involvedObject", "name"));
          seen.computeIfAbsent(about.id(), _ -> new HashSet<>()).add(event.text("reason"));
        }
        token = page.continueToken();
        query = query.after(token);
      } while (!token.isEmpty());
    }
    return seen;
  }

  /** From the moment a consumer sends an object until its copy is seen, at a steady rate. */
  private Quantiles latency(int perSecond, Observed sources, Observed copies) {
    List<Parcel> parcels = stage.parcels("latency" + perSecond, perSecond * options.latencySeconds);
    Map<Parcel, Long> sent = new ConcurrentHashMap<>();
    Goal goal = copies.expect(parcels, Optional::isPresent);
    Load.steadily(
        perSecond,
        parcels.size(),
        (number, _) -> {
          sent.put(parcels.get(number), System.nanoTime());
          create(parcels.get(number));
        });
    goal.await("copied");
    remove(parcels, sources);
    return new Quantiles(
        sent.entrySet().stream()
            .mapToDouble(entry -> (goal.timeOf(entry.getKey()) - entry.getValue()) / 1e6));
  }

  /** A consumer's edit, until the copy has it. */
  private void edit(Parcel parcel, Observed copies) {
    Goal goal =
        copies.expect(
            List.of(parcel), has(copy -> Long.valueOf(1).equals(copy.at("spec", "grams"))));
    parcel
        .consumer()
        .client()
        .patch(Types.PARCELS, "default", parcel.name(), Map.of("spec", Map.of("grams", 1L)));
    goal.await("edited");
  }

  private void many(Observed sources, Observed copies) {
    List<Parcel> parcels = stage.parcels("many", many);
    try (MeasuredProcess process = start()) {
      agent.awaitReady(process);
      Goal goal = copies.expect(parcels, Optional::isPresent);
      long begin = System.nanoTime();
      create(parcels);
      goal.await("copied");
      figures.put(seconds(Phase.DOWN, many), (goal.end() - begin) / 1e9);
      awaitEvents(parcels, Phase.DOWN);
      Waiting.rest(SETTLE);
      figures.put("resident memory [MiB]", process.residentMib(Resident.NOW), Limit.atMost(400));
      figures.put(
          "resident at most, " + many + " objects [MiB]", process.residentMib(Resident.PEAK));
      process
          .liveHeapKib()
          .ifPresent(kib -> figures.put("live heap, " + many + " objects [MiB]", kib / 1024));
    }
    Map<String, String> sourcesBefore = sources.versions();
    Map<String, String> copiesBefore = copies.versions();
    long begin = System.nanoTime();
    try (MeasuredProcess process = start()) {
      agent.awaitReady(process);
      figures.put(
          "ready after a restart [s]", Quantiles.millisSince(begin) / 1e3, Limit.atMost(20));
      idle();
      figures.put(
          "objects rewritten by a restart",
          changed(sourcesBefore, sources.versions()) + changed(copiesBefore, copies.versions()),
          Limit.atMost(0, "a restart writes nothing"));
      // An edit that is made now is brought down only after everything queued before it.
      edit(parcels.getLast(), copies);
      process.requireAlive();
    }
  }

  private static long changed(Map<String, String> before, Map<String, String> now) {
    return before.entrySet().stream()
        .filter(entry -> !entry.getValue().equals(now.get(entry.getKey())))
        .count();
  }

  private static void create(List<Parcel> parcels) {
    Load.share(parcels, SyncRun::create);
  }

  private static void create(Parcel parcel) {
    parcel.consumer().client().create(Types.PARCELS, Types.parcel(parcel.name()));
  }

  private static void remove(List<Parcel> parcels) {
    Load.share(
        parcels,
        parcel ->
            parcel
                .consumer()
                .client()
                .delete(
                    Types.PARCELS, "default", parcel.name(), new DeleteCondition.Unconditional()));
  }

  private static void remove(List<Parcel> parcels, Observed sources) {
    remove(parcels);
    sources.expect(parcels, Optional::isEmpty).await("gone");
  }

  private static Predicate<Optional<KubeObject>> has(Predicate<KubeObject> state) {
    return object -> object.filter(state).isPresent();
  }
}
