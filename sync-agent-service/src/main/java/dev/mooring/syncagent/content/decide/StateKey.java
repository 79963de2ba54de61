package dev.mooring.syncagent.content.decide;

import dev.mooring.languages.Hashes;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.syncagent.published.ApiType;

/**
 * Whose last-known state it is, by type and place in kcp: objects of different kinds may have one
 * name in one workspace.
 */
public record StateKey(String apiVersion, String kind, ObjectKey source) {
  public static StateKey of(ApiType type, ObjectKey source) {
    return new StateKey(type.resource().apiVersion(), type.kind(), source);
  }

  /**
   * Name of the Secret that holds the state where no annotation may. The version is left out: all
   * versions in kcp share one shape, and which of them is synced may change.
   */
  public String secretName() {
    // No part can contain the separator, so that no two keys read alike.
    String identity =
        String.join(
            "|",
            "state",
            apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/'))),
            kind,
            source.cluster().name(),
            source.namespace(),
            source.name());
    return "mooring-state-" + Hashes.sha1Short(identity);
  }
}
