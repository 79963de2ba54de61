package dev.mooring.runtime.watch;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.ListEnd;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.WatchHandle;
import dev.mooring.runtime.client.WatchQuery;
import dev.mooring.runtime.client.WatchSink;
import dev.mooring.runtime.client.WatchSink.WatchEventType;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * One type of one cluster in memory: a log of events and what it adds up to. Its connections can be
 * cut, its log compacted, its answers refused. For tests of what reads a cluster; what writes one
 * is tested on the sandbox.
 */
final class FakeCluster implements KubeClient {
  static final ResourceType THINGS = new ResourceType("example.io", "v1", "things");

  private final TreeMap<ObjectKey, KubeObject> objects = new TreeMap<>();
  private final List<Event> log = new ArrayList<>();
  private final List<Stream> streams = new ArrayList<>();

  /** For which watches were asked for, in order. */
  final List<Duration> lives = new CopyOnWriteArrayList<>();

  private Runnable onWatch = () -> {};
  final AtomicInteger lists = new AtomicInteger();
  final AtomicInteger watches = new AtomicInteger();
  private long version = 1;
  private long compacted;
  private KubeFailure.Kind refusal;
  private int wholeListsBreakOffAfter = Integer.MAX_VALUE;
  private URI url = URI.create("https://fake.example.io/clusters/*");

  synchronized KubeObject put(String cluster, String name, String value) {
    version++;
    ObjectKey key = new ObjectKey(new LogicalCluster(cluster), "default", name);
    KubeObject object =
        KubeObject.of(
            Map.of(
                "apiVersion", THINGS.apiVersion(),
                "kind", "Thing",
                "metadata",
                    Map.of(
                        "name",
                        name,
                        "namespace",
                        "default",
                        "uid",
                        cluster + "-" + name,
                        "resourceVersion",
                        Long.toString(version),
                        "annotations",
                        Map.of(LogicalCluster.ANNOTATION, cluster)),
                "spec", Map.of("value", value)));
    boolean known = objects.put(key, object) != null;
    publish(known ? WatchEventType.MODIFIED : WatchEventType.ADDED, object);
    return object;
  }

  /** Shows an object differently under the same version, as after a change of its schema. */
  synchronized void reveal(String cluster, String name, String value) {
    objects.computeIfPresent(
        new ObjectKey(new LogicalCluster(cluster), "default", name),
        (_, before) -> before.with(value, "spec", "value"));
  }

  synchronized void remove(String cluster, String name) {
    version++;
    KubeObject last = objects.remove(new ObjectKey(new LogicalCluster(cluster), "default", name));
    publish(
        WatchEventType.DELETED, last.with(Long.toString(version), "metadata", "resourceVersion"));
  }

  synchronized void bookmark() {
    version++;
    publish(
        WatchEventType.BOOKMARK,
        KubeObject.of(Map.of("metadata", Map.of("resourceVersion", Long.toString(version)))));
  }

  /** Ends every watch; {@code null} stands for the ordinary end. */
  synchronized void cut(KubeFailure.Kind kind) {
    for (Stream stream : List.copyOf(streams)) {
      stream.end(kind == null ? null : failure(kind));
    }
  }

  /** From now on this is run whenever a watch is asked for. */
  synchronized void onWatch(Runnable looks) {
    onWatch = looks;
  }

  /** Forgets the events so far: whoever is behind must list again. */
  synchronized void compact() {
    compacted = version;
    log.clear();
  }

  /** Refuses lists and new watches; {@code null} ends that. */
  synchronized void refuse(KubeFailure.Kind kind) {
    refusal = kind;
  }

  /** From now on it is a server that knows no logical clusters. */
  void becomePlain() {
    url = URI.create("https://fake.example.io");
  }

  /** From now on lists that are not asked for in pages come to no end. */
  synchronized void breakOffWholeListsAfter(int objects) {
    wholeListsBreakOffAfter = objects;
  }

  synchronized int open() {
    return streams.size();
  }

  @Override
  public synchronized KubeList list(ResourceType type, ListQuery query) {
    lists.incrementAndGet();
    checkRefusal();
    List<KubeObject> all = List.copyOf(objects.values());
    int from = query.continueToken().isEmpty() ? 0 : Integer.parseInt(query.continueToken());
    int to = query.limit() == 0 ? all.size() : Math.min(all.size(), from + query.limit());
    return new KubeList(
        all.subList(from, to),
        Long.toString(version),
        to == all.size() ? "" : Integer.toString(to));
  }

  /** As built-in types are listed: the items do not say what they are. */
  @Override
  public Optional<ListEnd> scan(
      ResourceType type, ListQuery query, FieldMask keep, Predicate<KubeObject> each) {
    int most = query.limit() == 0 ? wholeListsBreakOffAfter : Integer.MAX_VALUE;
    KubeList page = list(type, query);
    boolean readOn =
        page.items().stream()
            .limit(most)
            .map(item -> item.without("apiVersion").without("kind"))
            .allMatch(each);
    if (!readOn) {
      return Optional.empty();
    }
    if (page.items().size() > most) {
      throw failure(KubeFailure.Kind.UNAVAILABLE);
    }
    return Optional.of(
        new ListEnd(page.resourceVersion(), page.continueToken(), type.apiVersion(), "Thing"));
  }

  @Override
  public synchronized WatchHandle watch(ResourceType type, WatchQuery query, WatchSink sink) {
    watches.incrementAndGet();
    lives.add(query.life());
    onWatch.run();
    checkRefusal();
    long from = Long.parseLong(query.resourceVersion());
    if (from < compacted) {
      throw failure(KubeFailure.Kind.GONE);
    }
    var stream = new Stream(sink);
    log.stream()
        .filter(event -> event.version() > from)
        .forEach(event -> sink.event(event.type(), event.object()));
    streams.add(stream);
    return stream;
  }

  @Override
  public URI url() {
    return url;
  }

  @Override
  public Optional<KubeObject> find(ResourceType type, String namespace, String name) {
    throw new AssertionError("informers read by lists");
  }

  @Override
  public KubeObject document(String path) {
    throw new AssertionError("informers read by lists");
  }

  @Override
  public KubeObject create(ResourceType type, KubeObject object) {
    throw new AssertionError("informers do not write");
  }

  @Override
  public KubeObject update(ResourceType type, KubeObject object) {
    throw new AssertionError("informers do not write");
  }

  @Override
  public KubeObject updateStatus(ResourceType type, KubeObject object) {
    throw new AssertionError("informers do not write");
  }

  @Override
  public KubeObject patch(
      ResourceType type, String namespace, String name, Map<String, Object> mergePatch) {
    throw new AssertionError("informers do not write");
  }

  @Override
  public KubeObject patchStatus(
      ResourceType type, String namespace, String name, Map<String, Object> mergePatch) {
    throw new AssertionError("informers do not write");
  }

  @Override
  public void delete(ResourceType type, String namespace, String name, DeleteCondition condition) {
    throw new AssertionError("informers do not write");
  }

  /** What an informer should hold, as {@code cluster/name=value}. */
  synchronized Map<String, String> content() {
    var content = new LinkedHashMap<String, String>();
    objects.forEach((key, object) ->
        content.put(key.cluster() + "/" + key.name(), object.text("spec", "value")));
    return content;
  }

  private void publish(WatchEventType type, KubeObject object) {
    log.add(new Event(version, type, object));
    List.copyOf(streams).forEach(stream -> stream.sink.event(type, object));
  }

  private void checkRefusal() {
    if (refusal != null) {
      throw failure(refusal);
    }
  }

  private static KubeFailure failure(KubeFailure.Kind kind) {
    return new KubeFailure(kind, 0, "", "as the test wants it: " + kind, null, null);
  }

  private record Event(long version, WatchEventType type, KubeObject object) {}

  private final class Stream implements WatchHandle {
    private final WatchSink sink;

    Stream(WatchSink sink) {
      this.sink = sink;
    }

    @Override
    public void close() {
      end(null);
    }

    void end(KubeFailure cause) {
      synchronized (FakeCluster.this) {
        if (streams.remove(this)) {
          sink.closed(cause);
        }
      }
    }
  }
}
