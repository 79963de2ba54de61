package dev.mooring.sandbox.security.token;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.security.user.EffectiveUsers;
import dev.mooring.sandbox.security.user.UserInfo;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a service account's token says. It is good only as long as the account (and the Secret, if
 * one is named) exists with that UID.
 *
 * @param cluster where the account lives
 * @param uid of the service account
 */
public record ServiceAccountClaims(
    LogicalCluster cluster, String namespace, String name, String uid, Origin origin) {
  /** How a token came to be. */
  public sealed interface Origin {
    /**
     * Kept in a Secret, and good as long as the Secret holds it.
     *
     * @param secretName of the Secret
     */
    record Kept(String secretName) implements Origin {}

    /**
     * From a TokenRequest.
     *
     * @param id of this token
     * @param secret without which the token is not good; empty for none
     */
    record Requested(String id, List<String> audiences, Instant expiry, Optional<Reference> secret)
        implements Origin {
      public Requested {
        audiences = List.copyOf(audiences);
      }
    }
  }

  /** An object in the namespace of the service account. */
  public record Reference(String name, String uid) {}

  /** Confined to its logical cluster; on a server without logical clusters not confined. */
  public UserInfo user() {
    var extra = new LinkedHashMap<String, List<String>>();
    if (!cluster.equals(LogicalCluster.NONE)) {
      extra.put(EffectiveUsers.CLUSTER_NAME, List.of(cluster.name()));
      extra.put(EffectiveUsers.SCOPES, List.of("cluster:" + cluster.name()));
    }
    if (origin instanceof Origin.Requested requested) {
      extra.put("authentication.kubernetes.io/credential-id", List.of("JTI=" + requested.id()));
    }
    return new UserInfo(
        "system:serviceaccount:" + namespace + ":" + name,
        uid,
        List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace),
        Map.copyOf(extra));
  }
}
