package dev.mooring.sandbox.kcp.workspace;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.controller.SystemObjects;
import dev.mooring.sandbox.kcp.object.KcpResources;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.shard.OtherShards;
import dev.mooring.sandbox.kcp.shard.Replicas;
import dev.mooring.sandbox.kcp.shard.ShardUnavailable;
import dev.mooring.sandbox.kcp.workspace.decide.TypeReference;
import dev.mooring.sandbox.security.oidc.JwtAuthenticators;
import dev.mooring.sandbox.security.oidc.JwtOutcome;
import dev.mooring.sandbox.security.oidc.WorkspaceIssuers;
import dev.mooring.sandbox.security.user.EffectiveUsers;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The issuers of the WorkspaceAuthenticationConfigurations that a workspace's type names, with the
 * filters of kcp's pkg/authentication: no system users, no system groups, no extras of kcp; the
 * user counts in this workspace alone. One configuration that is missing or wrong takes the whole
 * type out. Thread-safe.
 */
public final class WorkspaceTypeIssuers implements WorkspaceIssuers {
  private static final Logger LOG = LoggerFactory.getLogger(WorkspaceTypeIssuers.class);
  private static final int CONFIGURATIONS_MAX = 500;
  private static final String SYSTEM = "system:";
  private static final String KCP = "kcp.io";

  /** The only one that kcp admits for workspaces. */
  private static final Set<String> ALGORITHMS = Set.of("RS256");

  private final LogicalClusters clusters;
  private final OtherShards others;
  private final Predicate<LogicalCluster> isOwn;
  private final JwtAuthenticators.Terms terms;

  /** By the version of a configuration: a change makes new ones. */
  private final Cache<Version, JwtAuthenticators> compiled =
      CacheBuilder.newBuilder().maximumSize(CONFIGURATIONS_MAX).build();

  private record Version(String uid, long version) {}

  /**
   * @param isOwn whether a logical cluster is on this shard
   */
  public WorkspaceTypeIssuers(
      LogicalClusters clusters, OtherShards others, Predicate<LogicalCluster> isOwn) {
    this.clusters = clusters;
    this.others = others;
    this.isOwn = isOwn;
    this.terms = new JwtAuthenticators.Terms(ALGORITHMS, Set.of(), clusters.objects().clock());
  }

  @Override
  public JwtOutcome authenticate(LogicalCluster cluster, String token) {
    Optional<KubeObject> type =
        clusters
            .object(cluster)
            .flatMap(object -> object.object().annotation(KcpNames.TYPE))
            .map(TypeReference::parse)
            .flatMap(clusters::workspaceType);
    List<JwtAuthenticators> issuers;
    try {
      issuers = type.map(this::issuers).orElseGet(List::of);
    } catch (IllegalArgumentException | ShardUnavailable e) {
      LOG.warn(
          "No user of an issuer of its type can enter the workspace {}: {}",
          cluster.name(),
          e.getMessage());
      return new JwtOutcome.Foreign();
    }
    JwtOutcome outcome = new JwtOutcome.Foreign();
    for (JwtAuthenticators issuer : issuers) {
      JwtOutcome next = issuer.authenticate(token);
      if (next instanceof JwtOutcome.Valid(UserInfo user)) {
        return admitted(user, cluster);
      }
      outcome = next instanceof JwtOutcome.Refused ? next : outcome;
    }
    return outcome;
  }

  private List<JwtAuthenticators> issuers(KubeObject type) {
    var issuers = new ArrayList<JwtAuthenticators>();
    for (Object reference : type.list("spec", "authenticationConfigurations")) {
      issuers.add(compiled(configuration(type, Trees.text(reference, "name"))));
    }
    return issuers;
  }

  /** From the workspace of the type, wherever that is. */
  private StoredObject configuration(KubeObject type, String name) {
    LogicalCluster home = type.logicalCluster().orElseThrow();
    SystemObjects objects =
        isOwn.test(home) ? clusters.objects() : others.at(Replicas.shardOf(type));
    return objects
        .get(KcpResources.AUTHENTICATION_CONFIGURATIONS, home, name)
        .orElseThrow(() ->
            new IllegalArgumentException(
                "the WorkspaceAuthenticationConfiguration %s of its type %s does not exist in %s"
                    .formatted(name, type.name(), home.name())));
  }

  private JwtAuthenticators compiled(StoredObject configuration) {
    var version = new Version(configuration.object().uid(), configuration.version());
    JwtAuthenticators known = compiled.getIfPresent(version);
    if (known != null) {
      return known;
    }
    try {
      var made =
          JwtAuthenticators.of(configuration.object().list("spec", "jwt"), "spec.jwt", terms);
      compiled.put(version, made);
      return made;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the WorkspaceAuthenticationConfiguration %s is wrong: %s"
              .formatted(configuration.key().name(), e.getMessage()),
          e);
    }
  }

  private static JwtOutcome admitted(UserInfo user, LogicalCluster cluster) {
    if (user.name().startsWith(SYSTEM)) {
      return new JwtOutcome.Refused("system usernames are not admitted");
    }
    Map<String, List<String>> extra = new LinkedHashMap<>();
    user.extra()
        .forEach((key, values) -> {
          if (!key.contains(KCP)) {
            extra.put(key, values);
          }
        });
    extra.put(EffectiveUsers.SCOPES, List.of("cluster:" + cluster.name()));
    extra.put(EffectiveUsers.CLUSTER_NAME, List.of(cluster.name()));
    List<String> groups =
        user.groups().stream()
            .filter(group -> !group.startsWith(SYSTEM))
            .sorted()
            .distinct()
            .toList();
    return new JwtOutcome.Valid(new UserInfo(user.name(), user.uid(), groups, extra));
  }
}
