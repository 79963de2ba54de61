package dev.mooring.depwebhook.lookup.memory;

import static dev.mooring.depwebhook.Fixtures.CONSUMER;
import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static dev.mooring.depwebhook.Fixtures.VPCS;
import static dev.mooring.depwebhook.Fixtures.machine;
import static dev.mooring.depwebhook.Fixtures.rule;
import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static dev.mooring.depwebhook.Fixtures.vpc;
import static org.awaitility.Awaitility.await;

import dev.mooring.depwebhook.FakeWorkspace;
import dev.mooring.depwebhook.FakeWorkspace.Scope;
import dev.mooring.depwebhook.SeparateBindings;
import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.eligibility.decide.Binding;
import dev.mooring.depwebhook.index.IndexLimits;
import dev.mooring.depwebhook.index.ReferenceIndexes;
import dev.mooring.depwebhook.index.decide.TypeInWorkspace;
import dev.mooring.depwebhook.lookup.DependentLookup;
import dev.mooring.depwebhook.lookup.LookupListener;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Lookup;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.time.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;

/** A thousand machines in a consumer's workspace, and a lookup that keeps their versions. */
abstract class RememberedFixture {
  static final int MANY = DependentMemory.DEPENDENTS_MIN;
  static final String WHOLE =
      "list virtualmachines.v1alpha1.compute.example.com in 'default' after ''";
  static final String VERSIONS =
      "versions virtualmachines.v1alpha1.compute.example.com in 'default' after ''";

  static final TypeInWorkspace TYPE = new TypeInWorkspace(CONSUMER, MACHINES);
  static final String THE_BINDING = "get " + Binding.TYPE + " /compute";
  static final String ALL_BINDINGS = "list " + Binding.TYPE + " in '' after ''";

  final FakeWorkspace workspace = new FakeWorkspace();
  final FakeWorkspace bindings = new FakeWorkspace();
  final ManualTime time = new ManualTime();
  final List<KubeObject> machines = new ArrayList<>();
  final DependentMemory memory = new DependentMemory(3 * MANY, time);
  final DependentLookup lookup = lookupWith(memory);
  int version;

  /** Runs after a list of versions. */
  Runnable afterVersions = () -> {};

  @BeforeEach
  void bindsBeforeTheTest() {
    bind("s1");
    memory.sources().learn(TYPE, bindings);
    awaitSource();
    time.advance(BindingSources.SETTLED_AFTER);
    bindings.requests.clear();
  }

  void bind(String schema) {
    bindings.serves(
        Binding.TYPE,
        Scope.CLUSTER,
        KubeObject.of(
            Map.of(
                "metadata",
                Map.of("name", "compute", "uid", "b", "resourceVersion", "" + ++version),
                "status",
                Map.of(
                    "boundResources",
                    List.of(
                        Map.of(
                            "group", MACHINES.group(),
                            "resource", MACHINES.resource(),
                            "schema", Map.of("UID", schema, "identityHash", "i")))))));
  }

  void awaitSource() {
    await()
        .until(() ->
            memory
                .sources()
                .settled(TYPE, time.instant().plus(BindingSources.SETTLED_AFTER))
                .isPresent());
  }

  void has(int count, String vpc) {
    for (int i = 0; i < count; i++) {
      add(machine("default", "vm" + i, vpc));
    }
  }

  void add(KubeObject machine) {
    int each = ++version;
    machines.add(identified(machine, each, each));
  }

  void change(int index, KubeObject now) {
    String uid = machines.get(index).uid();
    machines.set(
        index,
        now.with(uid, "metadata", "uid")
            .with(String.valueOf(++version), "metadata", "resourceVersion"));
  }

  static KubeObject identified(KubeObject machine, int uid, int version) {
    return machine
        .with(new UUID(1, uid).toString(), "metadata", "uid")
        .with(String.valueOf(version), "metadata", "resourceVersion");
  }

  static String get(String name) {
    return "get virtualmachines.v1alpha1.compute.example.com default/" + name;
  }

  /** The requests since the last call, without those for field selectors, which are refused. */
  List<String> requests() {
    List<String> requests =
        workspace.requests.stream().filter(request -> !request.contains(" where ")).toList();
    workspace.requests.clear();
    return requests;
  }

  List<String> blockers(Target target) {
    return blockers(target, vmNeedsVpc());
  }

  List<String> blockers(Target target, DependencyRule rule) {
    return blockers(lookup, target, rule);
  }

  List<String> blockers(DependentLookup by, Target target, DependencyRule rule) {
    var found = (Lookup.Complete) outcome(by, target, rule);
    return found.found().isEmpty()
        ? List.of()
        : found.of(Mode.DENY).blockers().named().stream().map(Blocker::name).toList();
  }

  Lookup outcome(DependentLookup by, Target target, DependencyRule rule) {
    serve();
    var protections = RuleIndex.of(List.of(rule)).about(GroupResource.of(VPCS));
    return by.referrers(target, DependentSearch.forAll(protections), RuleEligibility.EVERY);
  }

  void serve() {
    workspace.serves(MACHINES, Scope.NAMESPACED, machines.toArray(KubeObject[]::new));
  }

  private KubeReader observed() {
    return new KubeReader() {
      @Override
      public Optional<KubeObject> find(ResourceType type, String namespace, String name) {
        return workspace.find(type, namespace, name);
      }

      @Override
      public KubeList list(ResourceType type, ListQuery query) {
        KubeList list = workspace.list(type, query);
        if (query.parts() == ListQuery.Parts.METADATA) {
          afterVersions.run();
        }
        return list;
      }

      @Override
      public KubeObject document(String path) {
        return workspace.document(path);
      }
    };
  }

  DependentLookup lookupWith(DependentMemory dependents) {
    return new DependentLookup(
        _ -> new SeparateBindings(observed(), bindings),
        ReferenceIndexes.start(
            _ -> {
              throw new AssertionError("no rule wants an index");
            },
            IndexLimits.DEFAULT,
            time,
            time),
        dependents,
        time,
        LookupListener.NONE);
  }
}
