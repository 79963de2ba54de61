package dev.mooring.cli.size;

import dev.mooring.model.object.Trees;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A sync agent on paper.
 *
 * @param objects of all consumers
 * @param sizeKib JSON of an object on the average
 * @param writes objects that consumers create in a second; as many get a status and are deleted
 * @param replicas that share the work
 */
record SyncModel(
    long objects,
    double sizeKib,
    long workspaces,
    int shards,
    int types,
    double writes,
    int replicas) {
  /** More memory is not proposed for one replica, in MiB. */
  private static final double MEMORY_MAX = 4096;

  /** Of the chart, which is enough for a small agent. */
  private static final int MEMORY_LEAST = 640;

  private static final int MEMORY_STEP = 64;
  private static final int REPLICAS_MAX = 16;
  private static final int WORKERS_LEAST = 8;

  /** The largest heap by live bytes, as 100,000 objects were measured. */
  private static final double HEAP_ROOM = 1.7;

  private static final int HEAP_SHARE_MAX = 80;
  private static final double MIB = 1024;
  private static final double EVENT_SECONDS = 3600;

  /** With the fewest replicas that need no more than {@link #MEMORY_MAX} and one core each. */
  SyncModel shared() {
    return IntStream.rangeClosed(1, REPLICAS_MAX)
        .mapToObj(this::with)
        .filter(model -> model.memoryLimit() <= MEMORY_MAX && model.cores() <= 1)
        .findFirst()
        .orElseGet(() -> with(REPLICAS_MAX));
  }

  private SyncModel with(int count) {
    return new SyncModel(objects, sizeKib, workspaces, shards, types, writes, count);
  }

  private double own() {
    return (double) objects / replicas;
  }

  /** MiB. */
  double liveHeap() {
    double others = objects - own() + workspaces;
    double kib =
        own() * (SyncCosts.OBJECT_HEAP + SyncCosts.CONTENT_HEAP * sizeKib)
            + others * SyncCosts.OTHERS_HEAP;
    return SyncCosts.EMPTY_HEAP + kib / MIB;
  }

  /** MiB. */
  long memoryLimit() {
    double wanted = Math.max(MEMORY_LEAST, liveHeap() * HEAP_ROOM + SyncCosts.OUTSIDE_HEAP);
    return (long) Math.ceil(wanted / MEMORY_STEP) * MEMORY_STEP;
  }

  /** The largest heap, of the memory limit. */
  int heapPercentage() {
    return (int) Math.min(HEAP_SHARE_MAX, 100 * (1 - SyncCosts.OUTSIDE_HEAP / memoryLimit()));
  }

  /** That a replica uses. */
  double cores() {
    double object = SyncCosts.DOWN_CPU + SyncCosts.STATUS_CPU + SyncCosts.DELETION_CPU;
    double content = Math.max(0, sizeKib - 1) * SyncCosts.CONTENT_CPU;
    return writes * (object + content) / 1e3 / replicas;
  }

  long workers() {
    return Math.max(WORKERS_LEAST, (long) Math.ceil(writes * 3 * SyncCosts.PASS / replicas));
  }

  double kcpWrites() {
    return writes * SyncCosts.KCP_WRITES / shards;
  }

  /** MiB of one shard, with the Events of an hour, and without what etcd has not compacted yet. */
  double etcd() {
    return (objects * sizeKib + writes * 3 * EVENT_SECONDS * SyncCosts.EVENT_SIZE) / shards / MIB;
  }

  /** What the table shows, by its row. */
  Map<String, Object> rows() {
    return Trees.ordered(
        "replicas", replicas + ", each with objects of its own: " + number(Math.ceil(own()), ""),
        "live heap of a replica", mib(liveHeap()),
        "memory limit of a replica", mib(memoryLimit()),
        "cores of a replica", number(cores(), ""),
        "requests of all replicas",
            number(writes * (SyncCosts.DOWN + SyncCosts.STATUS + SyncCosts.DELETION), "/s"),
        "watches of all replicas", number((double) replicas * types * (shards + 1), ""),
        "writes to a shard",
            number(kcpWrites(), "/s") + ", of some " + number(SyncCosts.KCP_WRITES_MAX, "/s"),
        "writes to the service cluster", number(writes * SyncCosts.SERVICE_WRITES, "/s"),
        "content of a shard's etcd", mib(etcd()),
        "memory of a shard for workspaces", mib(workspaces * SyncCosts.KCP_WORKSPACE / shards));
  }

  /** Values of the chart. */
  Map<String, Object> values() {
    String memory = memoryLimit() + "Mi";
    return Trees.ordered(
        "syncAgent",
        Trees.ordered(
            "replicas",
            replicas,
            "replicaMode",
            replicas > 1 ? "Sharing" : "Standby",
            "config",
            Map.of("workers", workers()),
            "resources",
            Trees.ordered("requests", Map.of("memory", memory), "limits", Map.of("memory", memory)),
            "javaOptions",
            "-XX:MaxRAMPercentage=" + heapPercentage()));
  }

  private static String mib(double mib) {
    return mib < 10 * MIB ? number(Math.ceil(mib), " MiB") : number(mib / MIB, " GiB");
  }

  private static String number(double value, String unit) {
    String format = value >= 100 || value == Math.rint(value) ? "%,.0f" : "%.2f";
    return String.format(Locale.ROOT, format, value) + unit;
  }
}
