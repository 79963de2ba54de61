package dev.mooring.sandbox.kcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionChain;
import dev.mooring.sandbox.admission.AdmissionPlugin;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.api.registry.CompositeCatalog;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.api.registry.Subresource;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.builtin.core.NamespaceStrategy;
import dev.mooring.sandbox.controller.Controller;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.controller.PipelineClient;
import dev.mooring.sandbox.controller.namespace.NamespaceController;
import dev.mooring.sandbox.kcp.bound.BindingIndex;
import dev.mooring.sandbox.kcp.object.KcpIds;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.shard.OtherShards;
import dev.mooring.sandbox.kcp.shard.RootIdentities;
import dev.mooring.sandbox.kcp.shard.ServerUrls;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.InMemoryResourceStore;
import dev.mooring.sandbox.storage.ShardStores;
import dev.mooring.sandbox.storage.StorageKey;
import dev.mooring.sandbox.storage.StoredObject;
import dev.mooring.sandbox.strategy.Change;
import dev.mooring.sandbox.strategy.DeleteOptions;
import dev.mooring.sandbox.strategy.NameGenerator;
import dev.mooring.sandbox.strategy.WritePipeline;
import dev.mooring.sandbox.strategy.WriteTarget;
import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The kcp part on the real store and write pipeline, without HTTP and schemas. */
final class KcpServer implements AutoCloseable {
  static final UserInfo ADMIN = UserInfo.of("kcp-admin", "system:kcp:admin");
  static final LogicalCluster ROOT = KcpResources.ROOT;

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  final InMemoryResourceStore store = new InMemoryResourceStore();
  private final BindingIndex bindings = new BindingIndex(store);
  final Kcp kcp;
  private final CompositeCatalog catalog = new CompositeCatalog();
  private final WritePipeline writes;
  private final Controller<ObjectKey> namespaces;
  private final Set<String> refused = new HashSet<>();

  /** Names of objects that admission keeps. */
  private final Set<String> kept = ConcurrentHashMap.newKeySet();

  /** Names of objects whose creates admission holds back. */
  private final Map<String, HeldBack> heldBack = new ConcurrentHashMap<>();

  /** A create that has been admitted by all but one. */
  record HeldBack(CountDownLatch arrived, CountDownLatch released) {}

  KcpServer() {
    for (ResourceDefinition builtIn : builtIns()) {
      catalog.add(new OneResource(builtIn));
    }
    Authorizer authorizer = this::decide;
    var objects = new LoopbackClient(store, InstantSource.system(), KcpResources::logicalCluster);
    kcp =
        new Kcp(
            new Kcp.Dependencies(
                new ShardStores(store),
                OtherShards.NONE,
                new RootIdentities(),
                bindings,
                objects,
                KcpIds.random(),
                new ServerUrls("https://kcp.test:6443"),
                new PlainResources(),
                catalog,
                this::deleteContent,
                authorizer,
                authorizer,
                List.of(UserInfo.AUTHENTICATED)));
    catalog.add(kcp.catalog());
    writes =
        new WritePipeline(
            store,
            AdmissionChain.of(
                List.of(
                    kcp.typeAdmission(),
                    kcp.claimLabelAdmission(),
                    new OpenAdmission(kept, heldBack))),
            new NameGenerator(new Random(1)),
            UUID::randomUUID,
            Clock.systemUTC(),
            KcpResources::logicalCluster);
    kcp.start();
    namespaces = NamespaceController.start(new PipelineClient(store, catalog, writes), objects);
  }

  private static List<ResourceDefinition> builtIns() {
    return List.of(
        namespaces(),
        builtIn("", "secrets", "Secret", Scope.NAMESPACED),
        builtIn("", "configmaps", "ConfigMap", Scope.NAMESPACED),
        builtIn("rbac.authorization.k8s.io", "clusterroles", "ClusterRole", Scope.CLUSTER),
        builtIn(
            "rbac.authorization.k8s.io",
            "clusterrolebindings",
            "ClusterRoleBinding",
            Scope.CLUSTER));
  }

  private static ResourceDefinition namespaces() {
    return builtIn("", "namespaces", "Namespace", Scope.CLUSTER).toBuilder()
        .strategy(new NamespaceStrategy(NamespaceStrategy.Part.WHOLE))
        .subresource(
            "finalize",
            new Subresource.Part(new NamespaceStrategy(NamespaceStrategy.Part.FINALIZE)))
        .build();
  }

  private static ResourceDefinition builtIn(String group, String plural, String kind, Scope scope) {
    return ResourceDefinition.define(
            new ResourceType(group, "v1", plural), ResourceNames.of(plural, kind), scope)
        .build();
  }

  /** Everybody may do everything, but for what was refused. */
  private Decision decide(AuthorizationAttributes attributes) {
    return refused.contains(attributes.user().name() + " " + attributes.verb())
        ? new Decision.Denied("access denied")
        : new Decision.Allowed("");
  }

  void refuse(UserInfo user, String verb) {
    refused.add(user.name() + " " + verb);
  }

  /** Has admission refuse that an object of this name is deleted. */
  void keep(String name) {
    kept.add(name);
  }

  /** Has the last of admission wait with the create of an object of this name. */
  HeldBack holdBack(String name) {
    var held = new HeldBack(new CountDownLatch(1), new CountDownLatch(1));
    heldBack.put(name, held);
    return held;
  }

  void keepNoMore(String name) {
    kept.remove(name);
  }

  Optional<ResourceDefinition> find(LogicalCluster cluster, ResourceType type) {
    return catalog.find(cluster, type);
  }

  KubeObject create(LogicalCluster cluster, String object) {
    return create(cluster, ADMIN, KubeJson.readObject(object));
  }

  KubeObject create(LogicalCluster cluster, UserInfo user, KubeObject object) {
    ResourceDefinition definition = definition(cluster, object);
    return writes.create(definition, context(cluster, user, object.namespace()), object).object();
  }

  KubeObject replace(LogicalCluster cluster, KubeObject object) {
    return writes
        .change(
            WriteTarget.of(definition(cluster, object)),
            context(cluster, ADMIN, object.namespace()),
            object.name(),
            new Change.Replace(object))
        .object();
  }

  void delete(LogicalCluster cluster, KubeObject object) {
    writes.delete(
        definition(cluster, object),
        context(cluster, ADMIN, object.namespace()),
        object.name(),
        DeleteOptions.NONE);
  }

  private ResourceDefinition definition(LogicalCluster cluster, KubeObject object) {
    return catalog.all(cluster).stream()
        .filter(d -> d.kind().equals(object.kind()))
        .filter(d -> d.type().apiVersion().equals(object.apiVersion()))
        .findFirst()
        .orElseThrow();
  }

  private static WriteContext context(LogicalCluster cluster, UserInfo user, String namespace) {
    return new WriteContext(
        user,
        cluster,
        namespace,
        WriteContext.Effect.STORE,
        WriteContext.FieldValidation.WARN,
        "test");
  }

  private void deleteContent(ResourceDefinition definition, StoredObject object) {
    writes.deleteOneOfMany(
        definition,
        context(object.key().cluster(), ADMIN, object.key().namespace()),
        object,
        DeleteOptions.NONE);
  }

  Optional<KubeObject> get(LogicalCluster cluster, String type, String name) {
    return get(cluster, type, "", name);
  }

  /**
   * @param type {@code resource}, {@code resource.group} or {@code resource.group:identity}
   */
  Optional<KubeObject> get(LogicalCluster cluster, String type, String namespace, String name) {
    String[] identified = type.split(":", 2);
    String[] parts = identified[0].split("\\.", 2);
    var resourceKey =
        new dev.mooring.sandbox.storage.ResourceKey(
            parts.length > 1 ? parts[1] : "", parts[0], identified.length > 1 ? identified[1] : "");
    return store
        .get(new StorageKey(resourceKey, cluster, namespace, name))
        .map(StoredObject::object);
  }

  KubeObject eventually(
      LogicalCluster cluster, String type, String name, Predicate<KubeObject> condition) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(get(cluster, type, name)).get().matches(condition, "as expected"));
    return get(cluster, type, name).orElseThrow();
  }

  void eventuallyGone(LogicalCluster cluster, String type, String name) {
    await().atMost(PATIENCE).until(() -> get(cluster, type, name).isEmpty());
  }

  /** A workspace below root that is ready; its logical cluster. */
  LogicalCluster workspace(String name) {
    create(
        ROOT,
        """
        {"apiVersion": "tenancy.kcp.io/v1alpha1", "kind": "Workspace",
         "metadata": {"name": "%s"}, "spec": {"type": {"name": "universal", "path": "root"}}}
        """
            .formatted(name));
    KubeObject ready =
        eventually(
            ROOT,
            "workspaces.tenancy.kcp.io",
            name,
            workspace -> workspace.text("status", "phase").equals("Ready"));
    return new LogicalCluster(ready.text("spec", "cluster"));
  }

  @Override
  public void close() {
    namespaces.close();
    kcp.close();
    bindings.close();
  }

  private record OneResource(ResourceDefinition definition)
      implements dev.mooring.sandbox.api.registry.ResourceCatalog {
    @Override
    public Optional<ResourceDefinition> find(LogicalCluster cluster, ResourceType type) {
      return Optional.of(definition).filter(d -> d.type().equals(type));
    }

    @Override
    public List<ResourceDefinition> all(LogicalCluster cluster) {
      return List.of(definition);
    }
  }

  /** Lets everything pass but the deletion of what is kept. */
  private record OpenAdmission(Set<String> kept, Map<String, HeldBack> heldBack)
      implements AdmissionPlugin.Validating {
    @Override
    public String name() {
      return "open";
    }

    @Override
    public void validate(AdmissionRequest request, Consumer<String> warnings) {
      HeldBack held = heldBack.get(request.object().map(KubeObject::name).orElse(""));
      if (request.operation() == AdmissionRequest.Operation.CREATE && held != null) {
        held.arrived().countDown();
        try {
          held.released().await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      String name = request.previous().map(KubeObject::name).orElse("");
      if (request.operation() == AdmissionRequest.Operation.DELETE && kept.contains(name)) {
        throw ApiFailure.forbidden(request.definition().type(), name, "it is kept");
      }
    }
  }
}
