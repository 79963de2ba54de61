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
 * @param secretName of the Secret that holds the token; empty for one from a TokenRequest
 * @param id of this token; empty for one kept in a Secret
 * @param expiry empty for tokens in Secrets, which go with their Secret
 */
public record ServiceAccountClaims(
    LogicalCluster cluster,
    String namespace,
    String name,
    String uid,
    String secretName,
    String id,
    List<String> audiences,
    Optional<Instant> expiry) {
  public ServiceAccountClaims {
    audiences = List.copyOf(audiences);
  }

  /** Confined to its logical cluster; on a server without logical clusters not confined. */
  public UserInfo user() {
    var extra = new LinkedHashMap<String, List<String>>();
    if (!cluster.equals(LogicalCluster.NONE)) {
      extra.put(EffectiveUsers.CLUSTER_NAME, List.of(cluster.name()));
      extra.put(EffectiveUsers.SCOPES, List.of("cluster:" + cluster.name()));
    }
    if (!id.isEmpty()) {
      extra.put("authentication.kubernetes.io/credential-id", List.of("JTI=" + id));
    }
    return new UserInfo(
        "system:serviceaccount:" + namespace + ":" + name,
        uid,
        List.of("system:serviceaccounts", "system:serviceaccounts:" + namespace),
        Map.copyOf(extra));
  }
}
