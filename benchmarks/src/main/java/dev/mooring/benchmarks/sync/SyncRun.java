package dev.mooring.benchmarks.sync;

import dev.mooring.benchmarks.common.Clients;
import dev.mooring.benchmarks.common.Figures;
import dev.mooring.benchmarks.common.MeasuredProcess;
import dev.mooring.benchmarks.common.Patience;
import dev.mooring.benchmarks.common.Quantiles;
import dev.mooring.benchmarks.sync.Parcels.Parcel;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** All measurements of one agent on a stage of its own. */
final class SyncRun {
  /** What is still on its way after a phase has come to rest by then. */
  private static final Duration SETTLE = Duration.ofSeconds(2);

  private static final String SYNCED = "Underway";

  private final Stage stage;
  private final Agent agent;
  private final Path log;
  private final Sizes sizes;
  private final Figures figures = new Figures();
  private final Optional<Path> auditLog;

  /**
   * How much is measured.
   *
   * @param objects of the phases; each size is measured by itself
   * @param latencySeconds for how long objects are made at each rate; 0 for not at all
   * @param idle for how long nothing is done where an agent should do nothing
   * @param many objects for memory and restart; 0 for not at all
   */
  record Sizes(List<Integer> objects, int latencySeconds, Duration idle, int many) {
    Sizes {
      objects = List.copyOf(objects);
    }
  }

  /**
   * @param auditLog of the kcp; without it the agent's own count of its requests is taken
   */
  SyncRun(Stage stage, Agent agent, Sizes sizes, Optional<Path> auditLog) {
    this.stage = stage;
    this.agent = agent;
    this.sizes = sizes;
    this.auditLog = auditLog;
    this.log = stage.directory().resolve(agent.name() + ".log");
  }

  /** Throws {@link HarnessFailure} if the agent leaves anything incomplete. */
  Figures measure() {
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
        RequestCounter requests = requests();
        for (int count : sizes.objects()) {
          phases(Parcels.of(stage, "p" + count, count), sources, copies, requests, process);
        }
        idle(requests);
        latency(copies, sources);
        editElsewhere(sources, copies);
      }
      if (sizes.many() > 0) {
        many(sources, copies);
      }
    }
    return figures;
  }

  private MeasuredProcess start() {
    return MeasuredProcess.start(agent.command().apply(stage), log);
  }

  private RequestCounter requests() {
    return auditLog
        .<RequestCounter>map(file -> new AuditLog(file, agent.userAgent()))
        .orElseGet(() -> new AgentCounters(agent.metrics()));
  }

  /** One object in every workspace down and away again: from then on everything is in place. */
  private void tryOut(MeasuredProcess process) {
    try (Observed sources = Observed.sources(stage);
        Observed copies = Observed.copies(stage)) {
      Parcels parcels = Parcels.of(stage, "warm-up", 10 * stage.consumers().size());
      create(parcels);
      copies.expect(parcels.ids(), Optional::isPresent).await("copied");
      process.requireAlive();
      remove(parcels);
      sources.expect(parcels.ids(), Optional::isEmpty).await("gone");
      awaitEvents(parcels, Phase.DOWN);
      awaitEvents(parcels, Phase.DELETION);
    }
  }

  /** The nanoTime at which all were there; empty if it is not known what to expect. */
  private Optional<Long> awaitEvents(Parcels parcels, Phase phase) {
    return agent
        .expectations()
        .map(expected -> new ConsumerEvents(stage).awaitComplete(parcels, expected.of(phase)));
  }

  private void floor() {
    var floor = new BareFloor(stage);
    Parcels few = Parcels.of(stage, "floor-warm-up", 50);
    floor.down(few);
    floor.status(few);
    floor.deletion(few);
    for (int count : sizes.objects()) {
      Parcels parcels = Parcels.of(stage, "floor" + count, count);
      figures.put("floor, " + Report.seconds(Phase.DOWN, count), floor.down(parcels));
      figures.put("floor, " + Report.seconds(Phase.STATUS, count), floor.status(parcels));
      figures.put("floor, " + Report.seconds(Phase.DELETION, count), floor.deletion(parcels));
    }
  }

  private void phases(
      Parcels parcels,
      Observed sources,
      Observed copies,
      RequestCounter requests,
      MeasuredProcess process) {
    var counted = new Counted(parcels, requests, process);
    counted.phase(
        Phase.DOWN, copies.expect(parcels.ids(), Optional::isPresent), () -> create(parcels));
    counted.phase(
        Phase.STATUS,
        sources.expect(parcels.ids(), has(source -> source.text("status", "phase").equals(SYNCED))),
        () -> setStatus(parcels));
    requireComplete(parcels, sources, copies);
    Goal copiesGone = copies.expect(parcels.ids(), Optional::isEmpty);
    counted.phase(
        Phase.DELETION, sources.expect(parcels.ids(), Optional::isEmpty), () -> remove(parcels));
    copiesGone.await("gone at the provider");
  }

  /** One size's phases, with their requests. */
  private final class Counted {
    private final Parcels parcels;
    private final RequestCounter requests;
    private final MeasuredProcess process;

    Counted(Parcels parcels, RequestCounter requests, MeasuredProcess process) {
      this.parcels = parcels;
      this.requests = requests;
      this.process = process;
    }

    void phase(Phase phase, Goal goal, Runnable work) {
      int count = parcels.count();
      Map<String, Long> before = requests.counts();
      double cpuBefore = process.cpuSeconds();
      long begin = System.nanoTime();
      work.run();
      long end = goal.await("through the phase " + phase.text());
      figures.put(Report.seconds(phase, count), (end - begin) / 1e9);
      awaitEvents(parcels, phase)
          .ifPresent(
              seen -> figures.put(Report.secondsWithEvents(phase, count), (seen - begin) / 1e9));
      Patience.rest(SETTLE);
      process.requireAlive();
      Map<String, Long> made = RequestCounter.since(before, requests.counts());
      figures.put(Report.requests(phase, count), RequestCounter.total(made) / (double) count);
      figures.put(
          phase.text() + ", " + count + " objects [agent's CPU s]",
          process.cpuSeconds() - cpuBefore);
      System.out.println("    " + made);
    }
  }

  private void requireComplete(Parcels parcels, Observed sources, Observed copies) {
    for (Parcel parcel : parcels.all()) {
      Object wanted = sources.find(parcel.id()).map(source -> source.at("spec")).orElse(null);
      Object copied = copies.find(parcel.id()).map(copy -> copy.at("spec")).orElse(null);
      if (wanted == null || !wanted.equals(copied)) {
        throw new HarnessFailure("The copy of " + parcel.id() + " is not like its source");
      }
    }
  }

  private void idle(RequestCounter requests) {
    Map<String, Long> before = requests.counts();
    Patience.rest(sizes.idle());
    Map<String, Long> made = RequestCounter.since(before, requests.counts());
    figures.put(Report.IDLE, RequestCounter.total(made));
    if (!made.isEmpty()) {
      System.out.println("    " + made);
    }
  }

  private void latency(Observed copies, Observed sources) {
    if (sizes.latencySeconds() == 0) {
      return;
    }
    for (int perSecond : List.of(1, 10)) {
      Parcels parcels =
          Parcels.of(stage, "latency" + perSecond, perSecond * sizes.latencySeconds());
      Quantiles latency = Latency.measure(copies, parcels, perSecond);
      String rate = "latency at " + perSecond + "/s, ";
      figures.put(rate + "p50 [ms]", latency.at(0.5));
      figures.put(rate + "p99 [ms]", latency.at(0.99));
      figures.put(rate + "max [ms]", latency.max());
      remove(parcels);
      sources.expect(parcels.ids(), Optional::isEmpty).await("gone");
    }
  }

  /** A user edits a copy's mark while nothing else happens: the agent restores it. */
  private void editElsewhere(Observed sources, Observed copies) {
    Parcels one = Parcels.of(stage, "edited", 1);
    create(one);
    copies.expect(one.ids(), Optional::isPresent).await("copied");
    Patience.rest(sizes.idle());
    Parcel parcel = one.all().getFirst();
    long begin = System.nanoTime();
    parcel
        .consumer()
        .client()
        .patch(Types.PARCELS, "default", parcel.name(), Map.of("spec", Map.of("grams", 1L)));
    long noticed =
        copies
            .expect(one.ids(), has(copy -> Long.valueOf(1).equals(copy.at("spec", "grams"))))
            .await("edited");
    figures.put(Report.EDIT, (noticed - begin) / 1e6);
    remove(one);
    sources.expect(one.ids(), Optional::isEmpty).await("gone");
  }

  private void many(Observed sources, Observed copies) {
    Parcels parcels = Parcels.of(stage, "many", sizes.many());
    try (MeasuredProcess process = start()) {
      agent.awaitReady(process);
      Goal goal = copies.expect(parcels.ids(), Optional::isPresent);
      long begin = System.nanoTime();
      create(parcels);
      long end = goal.await("copied");
      figures.put(Report.seconds(Phase.DOWN, sizes.many()), (end - begin) / 1e9);
      awaitEvents(parcels, Phase.DOWN);
      Patience.rest(SETTLE);
      figures.put(Report.RESIDENT, process.residentMib());
      figures.put(
          "resident at most, " + sizes.many() + " objects [MiB]", process.residentPeakMib());
    }
    Map<String, String> sourcesBefore = sources.versions();
    Map<String, String> copiesBefore = copies.versions();
    long begin = System.nanoTime();
    try (MeasuredProcess process = start()) {
      agent.awaitReady(process);
      figures.put(Report.READY, (System.nanoTime() - begin) / 1e9);
      // An edit that is made now is brought down only after everything queued before it.
      Parcel last = parcels.all().getLast();
      Patience.rest(sizes.idle());
      figures.put(
          Report.REWRITTEN,
          changed(sourcesBefore, sources.versions()) + changed(copiesBefore, copies.versions()));
      figures.put("resident after a restart [MiB]", process.residentMib());
      last.consumer()
          .client()
          .patch(Types.PARCELS, "default", last.name(), Map.of("spec", Map.of("grams", 2L)));
      copies
          .expect(List.of(last.id()), has(copy -> Long.valueOf(2).equals(copy.at("spec", "grams"))))
          .await("edited");
      process.requireAlive();
    }
  }

  private static long changed(Map<String, String> before, Map<String, String> now) {
    return before.entrySet().stream()
        .filter(entry -> !entry.getValue().equals(now.get(entry.getKey())))
        .count();
  }

  private static void create(Parcels parcels) {
    Clients.share(
        parcels.all(),
        parcel -> parcel.consumer().client().create(Types.PARCELS, Types.parcel(parcel.name())));
  }

  private void setStatus(Parcels parcels) {
    Clients.share(
        parcels.all(),
        parcel ->
            stage
                .service()
                .patchStatus(
                    Types.PARCELS,
                    parcel.copyNamespace(),
                    parcel.name(),
                    Map.of("status", Types.status(SYNCED))));
  }

  private static void remove(Parcels parcels) {
    Clients.share(
        parcels.all(),
        parcel ->
            parcel
                .consumer()
                .client()
                .delete(
                    Types.PARCELS, "default", parcel.name(), new DeleteCondition.Unconditional()));
  }

  private static Predicate<Optional<KubeObject>> has(Predicate<KubeObject> state) {
    return object -> object.filter(state).isPresent();
  }
}
