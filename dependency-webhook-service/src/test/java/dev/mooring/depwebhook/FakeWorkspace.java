package dev.mooring.depwebhook;

import dev.mooring.depwebhook.eligibility.decide.Binding;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListEnd;
import dev.mooring.runtime.client.ListQuery;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * One workspace as its API server answers reads: types with a scope, objects in pages, discovery,
 * and failures that happen once. Records what was asked. Thread-safe but for {@code selectsBy}.
 */
public final class FakeWorkspace implements KubeReader {
  /** Where a type's objects live. */
  public enum Scope {
    NAMESPACED,
    CLUSTER
  }

  private static final ResourceType LOGICAL_CLUSTERS =
      new ResourceType("core.kcp.io", "v1alpha1", "logicalclusters");

  public final List<String> requests = Collections.synchronizedList(new ArrayList<>());

  /** How many objects of lists were taken in. */
  public final AtomicInteger taken = new AtomicInteger();

  private final Map<ResourceType, Scope> served =
      Collections.synchronizedMap(new LinkedHashMap<>());
  private final Map<ResourceType, List<KubeObject>> objects = new ConcurrentHashMap<>();

  /** With what every workspace has. */
  public FakeWorkspace() {
    serves(Binding.TYPE, Scope.CLUSTER);
    serves(
        LOGICAL_CLUSTERS,
        Scope.CLUSTER,
        KubeObject.of(Map.of("metadata", Map.of("name", "cluster"))));
  }

  private final Set<ResourceType> undiscovered = ConcurrentHashMap.newKeySet();
  private final Set<String> selectable = new HashSet<>();
  private final Deque<CountDownLatch> held = new ConcurrentLinkedDeque<>();
  private final Deque<KubeFailure> failures = new ConcurrentLinkedDeque<>();
  private final Deque<KubeFailure> readFailures = new ConcurrentLinkedDeque<>();

  public FakeWorkspace serves(ResourceType type, Scope scope, KubeObject... there) {
    served.put(type, scope);
    objects.put(type, List.of(there));
    return this;
  }

  /** As kcp does for the first seconds in which it serves a type. */
  public FakeWorkspace hidesFromDiscovery(ResourceType type) {
    undiscovered.add(type);
    return this;
  }

  public void servesNoMore(ResourceType type) {
    served.remove(type);
    objects.remove(type);
  }

  /** The next list fails so. */
  public FakeWorkspace failsOnce(Kind kind, int code, String message) {
    failures.add(new KubeFailure(kind, code, "", message, null, null));
    return this;
  }

  /** The next read of one object fails so. */
  public FakeWorkspace failsReadsOnce(Kind kind, int code, String message) {
    readFailures.add(new KubeFailure(kind, code, "", message, null, null));
    return this;
  }

  /**
   * The next list is answered, with what is there when it is asked for, once the returned action
   * has run.
   */
  public Runnable holdsTheNextList() {
    var released = new CountDownLatch(1);
    held.add(released);
    return released::countDown;
  }

  /** The server selects by these fields. */
  public FakeWorkspace selectsBy(String... fields) {
    selectable.addAll(List.of(fields));
    return this;
  }

  @Override
  public Optional<KubeObject> find(ResourceType type, String namespace, String name) {
    requests.add("get " + type + " " + namespace + "/" + name);
    if (!failures.isEmpty()) {
      throw failures.remove();
    }
    if (!readFailures.isEmpty()) {
      throw readFailures.remove();
    }
    Scope scope = served.get(type);
    if (scope == null || namespace.isEmpty() != (scope == Scope.CLUSTER)) {
      throw notFound(type.apiPath());
    }
    return objects.getOrDefault(type, List.of()).stream()
        .filter(o -> o.namespace().equals(namespace) && o.name().equals(name))
        .findFirst();
  }

  @Override
  public KubeList list(ResourceType type, ListQuery query) {
    requests.add(
        "list "
            + type
            + " in '"
            + query.namespace()
            + "' after '"
            + query.continueToken()
            + "'"
            + (query.fieldSelector().isEmpty() ? "" : " where " + query.fieldSelector()));
    if (!failures.isEmpty()) {
      throw failures.remove();
    }
    List<KubeObject> there = objects.get(type);
    awaitRelease();
    Scope scope = served.get(type);
    if (scope == null || (scope == Scope.CLUSTER && !query.namespace().isEmpty())) {
      throw notFound(type.apiPath());
    }
    String[] selector = query.fieldSelector().split("=", 2);
    if (!query.fieldSelector().isEmpty() && !selectable.contains(selector[0])) {
      throw new KubeFailure(
          Kind.INVALID, 400, "", "GET: 400 field label not supported: " + selector[0], null, null);
    }
    List<KubeObject> matching =
        there.stream()
            .filter(o ->
                query.fieldSelector().isEmpty()
                    || o.text(selector[0].split("\\.")).equals(selector[1]))
            .filter(o -> query.namespace().isEmpty() || o.namespace().equals(query.namespace()))
            .toList();
    int from = query.continueToken().isEmpty() ? 0 : Integer.parseInt(query.continueToken());
    int limit = query.limit() == 0 ? matching.size() : query.limit();
    int to = Math.min(matching.size(), from + limit);
    return new KubeList(
        matching.subList(from, to), "1", to < matching.size() ? String.valueOf(to) : "");
  }

  @Override
  public Optional<ListEnd> scan(
      ResourceType type, ListQuery query, FieldMask keep, Predicate<KubeObject> each) {
    return KubeReader.super.scan(
        type,
        query,
        keep,
        object -> {
          taken.incrementAndGet();
          return each.test(object);
        });
  }

  private void awaitRelease() {
    CountDownLatch latch = held.poll();
    if (latch != null) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public KubeObject document(String path) {
    requests.add("get " + path);
    List<ResourceType> inVersion =
        discovered().filter(type -> type.apiPath().equals(path)).toList();
    if (!inVersion.isEmpty()) {
      return KubeObject.of(Map.of("resources", inVersion.stream().map(this::resource).toList()));
    }
    List<ResourceType> inGroup =
        discovered().filter(type -> path.equals("apis/" + type.group())).toList();
    if (inGroup.isEmpty()) {
      throw notFound(path);
    }
    return KubeObject.of(
        Map.of(
            "versions",
            inGroup.stream()
                .map(ResourceType::version)
                .distinct()
                .map(v -> Map.of("version", v))
                .toList()));
  }

  private Stream<ResourceType> discovered() {
    return served.keySet().stream().filter(type -> !undiscovered.contains(type));
  }

  private Map<String, Object> resource(ResourceType type) {
    return Map.of("name", type.resource(), "namespaced", served.get(type) == Scope.NAMESPACED);
  }

  private static KubeFailure notFound(String what) {
    return new KubeFailure(
        Kind.NOT_SERVED, 404, "NotFound", "GET " + what + ": 404 not found", null, null);
  }
}
