package dev.mooring.syncagent.related;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.lease.Share;
import dev.mooring.syncagent.clusters.NamespaceContents;
import dev.mooring.syncagent.clusters.NamespaceWriter;
import dev.mooring.syncagent.clusters.WorkShare;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.NamespaceMetadata;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.SyncPolicy.EmptyNamespaces;
import dev.mooring.syncagent.related.decide.Progress;
import dev.mooring.syncagent.simulation.ConsumerViewModel;
import dev.mooring.syncagent.simulation.CopiesModel;
import dev.mooring.syncagent.simulation.LaggingCache;
import dev.mooring.syncagent.simulation.ServerModel;
import dev.mooring.syncagent.sync.SimulatedWatches;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Reconcilers of several published types beside one syncs, on modelled servers. The primaries' own
 * copies are always there, in the namespace that is called like the workspace. One thread.
 */
final class RelatedBench {
  static final LogicalCluster CLUSTER = new LogicalCluster("c1");
  static final ResourceType SECRETS = ResourceType.core("secrets");
  static final ResourceType NAMESPACES = ResourceType.core("namespaces");
  private static final String AGENTS = "agents";

  /** Far more than any settling takes. */
  private static final int PASSES_MAX = 100;

  final ServerModel kcp;
  final ServerModel service;
  final KubeClient consumer;
  final KubeClient owner;
  private final List<SimulatedWatches> everybodys = new ArrayList<>();
  private SimulatedWatches watches;
  private RelatedSyncFactory syncs;

  RelatedBench(ServerModel.Faults faults) {
    kcp = new ServerModel(faults);
    service = new ServerModel(faults);
    consumer = kcp.person(CLUSTER);
    owner = service.person(LogicalCluster.NONE);
    consumer.create(NAMESPACES, object("", "default"));
    owner.create(NAMESPACES, object("", AGENTS));
    owner.create(NAMESPACES, object("", CLUSTER.name()));
    startProcess();
  }

  RelatedBench() {
    this(ServerModel.Faults.NONE);
  }

  /** Nothing is remembered but what the servers have, and nobody has joined. */
  void startProcess(ResourceType... slow) {
    everybodys.clear();
    startAgent("agent", slow);
  }

  /** Beside those that run; who joins from now on is of this one. */
  void startAgent(String name, ResourceType... slow) {
    watches = new SimulatedWatches(kcp, service);
    everybodys.add(watches);
    List.of(slow).forEach(watches::fillLater);
    KubeClient agents = service.client(LogicalCluster.NONE);
    syncs =
        new RelatedSyncFactory(
            agents,
            watches,
            new NamespaceWriter(
                agents,
                _ -> NamespaceContents.NOTHING,
                new WorkShare(Share.EVERYTHING),
                (_, _) -> () -> {}),
            name,
            AGENTS,
            () -> Instant.EPOCH);
  }

  static ResourceType type(String resource) {
    return new ResourceType("example.io", "v1", resource);
  }

  static ObjectKey key(String name) {
    return new ObjectKey(CLUSTER, "default", name);
  }

  static KubeObject object(String namespace, String name) {
    return KubeObject.of(Map.of("metadata", Map.of("namespace", namespace, "name", name)));
  }

  /** A Secret in the consumer's workspace. */
  void secretInKcp(String name) {
    consumer.create(SECRETS, object("default", name).with(Map.of("value", "v1"), "data"));
  }

  /** A Secret on the service cluster. */
  void secretOnService(String name) {
    owner.create(SECRETS, object(CLUSTER.name(), name).with(Map.of("value", "v1"), "data"));
  }

  Optional<KubeObject> inKcp(String name) {
    return consumer.find(SECRETS, "default", name);
  }

  Optional<KubeObject> onService(String name) {
    return owner.find(SECRETS, CLUSTER.name(), name);
  }

  /**
   * How the consumer has answered the export's claims, and the server has carried that out.
   *
   * @param claims resources, each with ":Accepted", ":Rejected" or ":" and the label that objects
   *     have to have
   */
  void claims(String... claims) {
    accept(true, claims);
  }

  /** As {@link #claims}, before the server has carried it out. */
  void claimsNotApplied(String... claims) {
    accept(false, claims);
  }

  private void accept(boolean applied, String... claims) {
    var exported = new ArrayList<Object>();
    var answered = new ArrayList<Object>();
    var accepted = new ArrayList<Object>();
    for (String claim : claims) {
      String resource = claim.substring(0, claim.indexOf(':'));
      String answer = claim.substring(claim.indexOf(':') + 1);
      boolean isNarrowed = !answer.equals("Accepted") && !answer.equals("Rejected");
      exported.add(Map.of("group", "", "resource", resource));
      Object claimed =
          Map.of(
              "group",
              "",
              "resource",
              resource,
              "state",
              isNarrowed ? "Accepted" : answer,
              "selector",
              isNarrowed ? Map.of("matchLabels", Map.of(answer, "yes")) : Map.of("matchAll", true));
      answered.add(claimed);
      if (!answer.equals("Rejected")) {
        accepted.add(claimed);
      }
    }
    KubeObject binding =
        object("", "bound")
            .with(answered, "spec", "permissionClaims")
            .with(exported, "status", "exportPermissionClaims");
    Map<ObjectKey, KubeObject> there = kcp.all(ExportView.BINDINGS);
    Object before =
        there.isEmpty()
            ? List.of()
            : there.values().iterator().next().at("status", "appliedPermissionClaims");
    binding = binding.with(applied ? accepted : before, "status", "appliedPermissionClaims");
    if (there.isEmpty()) {
      consumer.create(ExportView.BINDINGS, binding);
    } else {
      consumer.update(ExportView.BINDINGS, binding);
    }
  }

  /** What is remembered. */
  List<KubeObject> records() {
    return service.all(SECRETS).values().stream()
        .filter(secret -> secret.namespace().equals(AGENTS))
        .toList();
  }

  /** Has a primary of each member copy one Secret; uid of the copy. */
  String share(Member a, Member b) {
    secretInKcp("shared");
    a.order("a1");
    b.order("b1");
    assertThat(a.settle("a1")).isInstanceOf(Progress.Settled.class);
    assertThat(b.settle("b1")).isInstanceOf(Progress.Settled.class);
    assertThat(records()).hasSize(2);
    return onService("shared").orElseThrow().uid();
  }

  /** As one that was written before names were as they are. */
  void rename(KubeObject record, String name) {
    owner.delete(SECRETS, AGENTS, record.name(), new DeleteCondition.Unconditional());
    owner.create(
        SECRETS,
        record
            .with(name, "metadata", "name")
            .without("metadata", "uid")
            .without("metadata", "resourceVersion"));
  }

  /**
   * @param uid of the copy as it was made
   */
  void assertThatOneCopyIsLeft(String name, String uid) {
    assertThat(onService(name).orElseThrow().uid()).as("made once").isEqualTo(uid);
    assertThat(inKcp(name).orElseThrow().finalizers()).hasSize(2);
    assertThat(records()).hasSize(1);
  }

  void assertThatNothingIsLeft(String name) {
    assertThat(onService(name)).isEmpty();
    assertThat(inKcp(name).orElseThrow().finalizers()).isEmpty();
    assertThat(records()).isEmpty();
  }

  /** How often an index of the last agent's watches on the service cluster was read. */
  int lookups() {
    return watches.lookups();
  }

  /** Lists everything that was to be filled later. */
  void fill() {
    watches.caches().forEach(cache -> cache.relist().forEach(seen -> watches.told(cache, seen)));
  }

  /** One published type as it is synced. */
  final class Member implements AutoCloseable {
    private final ResourceType type;
    private final ConsumerViewModel primaries;
    private final RelatedSync related;
    final TreeSet<ObjectKey> due = new TreeSet<>();

    private final PrimaryCopies copies =
        new CopiesModel(this::copy, _ -> false, CLUSTER.name()::equals);

    private Member(ResourceType type, List<RelatedResource> entries) {
      this.type = type;
      this.primaries = new ConsumerViewModel(kcp, type);
      this.related =
          syncs.start(
              new RelatedRules(
                  entries,
                  Set.of(),
                  type,
                  Adoption.NEVER,
                  EmptyNamespaces.KEEP,
                  NamespaceMetadata.NONE,
                  Optional.empty()),
              primaries,
              copies,
              due::add);
    }

    private Optional<KubeObject> copy(ObjectKey primary) {
      return Optional.ofNullable(kcp.all(type).get(primary))
          .map(there ->
              object(primary.cluster().name(), primary.name()).with(there.at("spec"), "spec"));
    }

    /** With a finalizer of its own, so that its end can be seen coming. */
    void order(String name, String... names) {
      consumer.create(
          type,
          object("default", name)
              .with(Map.of("names", List.of((Object[]) names)), "spec")
              .with(List.of("example.io/mine"), "metadata", "finalizers"));
    }

    /** It refers to others from now on. */
    void name(String primary, String... names) {
      consumer.patch(
          type, "default", primary, Map.of("spec", Map.of("names", List.of((Object[]) names))));
    }

    void cancel(String name) {
      consumer.delete(type, "default", name, new DeleteCondition.Unconditional());
    }

    /** Nobody waits for anything. */
    void takeByForce(String name) {
      cancel(name);
      release(name);
    }

    /** Nothing keeps it from going any more. */
    void release(String name) {
      consumer.patch(type, "default", name, Map.of("metadata", Map.of("finalizers", List.of())));
    }

    /** Its primaries are listed. */
    void list() {
      primaries.cache().relist();
    }

    KubeObject primary(String name) {
      return kcp.all(type).get(key(name));
    }

    /** One pass, with caches that are up to date. */
    Progress pass(String name) {
      RelatedBench.this.catchUp();
      return passBehind(name);
    }

    /** As {@link #pass}, with caches of related objects as they are. */
    Progress passBehind(String name) {
      catchUpPrimaries();
      ObjectKey key = key(name);
      KubeClient workspace = kcp.client(CLUSTER);
      Optional<KubeObject> primary = primaries.find(key);
      if (primary.isEmpty()) {
        return related.records(key).isEmpty()
            ? new Progress.Settled()
            : related.cleanUpOrphaned(key);
      }
      var seen = new Primary(key, primary.get(), copy(key), Optional.empty());
      return primary.get().deleting()
          ? related.cleanUp(seen, workspace)
          : related.sync(seen, workspace);
    }

    /** As many passes as there is something to write. */
    Progress settle(String name) {
      for (int pass = 0; pass < PASSES_MAX; pass++) {
        Progress progress = pass(name);
        if (!(progress instanceof Progress.Wrote) && !(progress instanceof Progress.Stale)) {
          return progress;
        }
      }
      throw new AssertionError(name + " does not settle");
    }

    /** All that it was told to look at. */
    void settleDue() {
      catchUp();
      while (!due.isEmpty()) {
        settle(due.pollFirst().name());
        catchUp();
      }
    }

    private void catchUp() {
      RelatedBench.this.catchUp();
      catchUpPrimaries();
    }

    private void catchUpPrimaries() {
      while (primaries.cache().isListed() && primaries.cache().isBehind()) {
        primaries.cache().advance().forEach(seen -> due.add(seen.key()));
      }
    }

    @Override
    public void close() {
      related.close();
    }
  }

  /**
   * Its primaries are not listed yet.
   *
   * @param entries JSON with single quotes
   */
  Member joinUnlisted(ResourceType type, String... entries) {
    return new Member(type, entries(entries));
  }

  Member join(ResourceType type, String... entries) {
    Member member = joinUnlisted(type, entries);
    member.list();
    return member;
  }

  static List<RelatedResource> entries(String... entries) {
    return PublishedResource.read(
            KubeObject.of(
                Map.of(
                    "metadata",
                    Map.of("name", "pub"),
                    "spec",
                    Map.of(
                        "resource",
                        Map.of("kind", "Thing"),
                        "related",
                        KubeJson.read(
                            ("[" + String.join(",", entries) + "]").replace('\'', '"'))))))
        .related();
  }

  /** Some of all agents' watches. */
  Set<LaggingCache> some(Random random) {
    return everybodys.stream()
        .flatMap(each -> each.caches().stream())
        .filter(_ -> random.nextBoolean())
        .collect(Collectors.toSet());
  }

  private void catchUp() {
    catchUpExcept(Set.of());
  }

  /** All watches show what happened, but for these. */
  void catchUpExcept(Set<LaggingCache> still) {
    for (SimulatedWatches each : everybodys) {
      for (LaggingCache cache : each.caches()) {
        while (!still.contains(cache) && cache.isListed() && cache.isBehind()) {
          cache.advance().forEach(seen -> each.told(cache, seen));
        }
      }
    }
  }
}
