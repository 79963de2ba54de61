package dev.mooring.sandbox.junit;

import dev.mooring.model.object.Trees;
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

  /**
   * @throws KcpProblem if they cannot be listed
   */
  static KcpShards of(KcpClient client) {
    KcpClient.Answer answer = client.get("/clusters/root/apis/core.kcp.io/v1alpha1/shards");
    if (!answer.isSuccess()) {
      throw new KcpProblem("the shards cannot be listed in root: " + answer.message());
    }
    var urls = new TreeMap<String, URI>();
    for (Object shard : answer.body().list("items")) {
      urls.put(
          Trees.text(shard, "metadata", "name"), URI.create(Trees.text(shard, "spec", "baseURL")));
    }
    return new KcpShards(urls);
  }
}
