package dev.mooring.sandbox.kcp.shard;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.object.KcpResources;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The identities of the exports of the workspace root, by export: fetched from the shard that has
 * it, and kept from then on, also while that shard is down and over restarts of this one.
 * Thread-safe.
 */
public final class RootIdentities {
  private final Map<String, String> hashes = new ConcurrentHashMap<>();

  /** Keeps the identity of an export of the workspace root, once it has one. */
  public void keep(KubeObject export) {
    String hash = export.text("status", "identityHash");
    if (!hash.isEmpty()) {
      hashes.put(export.name(), hash);
    }
  }

  /**
   * Fetches all that there are now.
   *
   * @throws ShardUnavailable if the shard with the workspace root is down
   */
  public void fetch(OtherShards others) {
    others
        .at(ServerUrls.ROOT_SHARD)
        .list(KcpResources.EXPORTS, KcpResources.ROOT)
        .forEach(export -> keep(export.object()));
  }

  public boolean isEmpty() {
    return hashes.isEmpty();
  }

  public Optional<String> of(String export) {
    return Optional.ofNullable(hashes.get(export));
  }
}
