package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.kcp.object.KcpResources;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/**
 * Which shard a logical cluster is on: a function of its name, so no state records it. The
 * workspace {@code root} is on the first, which has its name. Immutable.
 *
 * @param names at least one
 * @param urls where each is reached, without a slash at the end
 */
public record Shards(List<String> names, Function<String, URI> urls) {
  public static final String ROOT = "root";

  public Shards {
    names = List.copyOf(names);
    if (names.isEmpty() || !names.getFirst().equals(ROOT)) {
      throw new IllegalArgumentException("the first shard is called root: " + names);
    }
  }

  /** Called {@code root}, {@code shard-1}, and so on, as kcp's own tests call them. */
  public static Shards of(int count, Function<String, URI> urls) {
    return new Shards(names(count), urls);
  }

  /** The names of so many shards, beginning with {@link #ROOT}. */
  public static List<String> names(int count) {
    return IntStream.range(0, count).mapToObj(i -> i == 0 ? ROOT : "shard-" + i).toList();
  }

  public String of(LogicalCluster cluster) {
    return cluster.equals(KcpResources.ROOT) || cluster.equals(LogicalCluster.SYSTEM_ADMIN)
        ? ROOT
        : names.get(bucket(cluster.name(), names.size()));
  }

  public String url(String shard) {
    return urls.apply(shard).toString();
  }

  /**
   * Lamping and Veach's jump consistent hash ("A Fast, Minimal Memory, Consistent Hash Algorithm",
   * 2014): with one shard more only the names that go to it move.
   */
  private static int bucket(String name, int buckets) {
    var crc = new CRC32();
    crc.update(name.getBytes(StandardCharsets.UTF_8));
    long key = crc.getValue();
    long bucket = -1;
    long next = 0;
    while (next < buckets) {
      bucket = next;
      key = key * 2862933555777941757L + 1;
      next = (long) ((bucket + 1) * ((double) (1L << 31) / ((key >>> 33) + 1)));
    }
    return (int) bucket;
  }
}
