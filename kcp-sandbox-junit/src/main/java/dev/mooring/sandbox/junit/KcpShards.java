package dev.mooring.sandbox.junit;

import java.net.URI;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The shards of a kcp.
 *
 * @param urls where each shard itself is reached, by name; no slash at the end. With one shard that
 *     may be the server's own
 */
public record KcpShards(SortedMap<String, URI> urls) {
  public KcpShards {
    urls = Collections.unmodifiableSortedMap(new TreeMap<>(urls));
  }
}
