package dev.mooring.cli.migrate.protection;

import dev.mooring.depcontroller.rules.decide.ResolvedRules;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What kcp holds of dependency protection.
 *
 * @param rules with what their paths and exports lead to
 * @param schema name of the APIResourceSchema by which workspaces bind DependencyRules
 * @param bindings of the APIExport, in all workspaces
 * @param configurations all webhook configurations that the providers show, by workspace
 * @param authorities of {@code --webhook-ca-bundle-path}
 * @param caBundle the same as a webhook configuration has it; empty without the flag
 * @param webhook at {@code --webhook-url}, as this machine sees it; empty without that flag
 * @param missingRights of the controller's user, in sentences that say what to grant
 */
record ProtectionFacts(
    ProtectionFlags flags,
    ResolvedRules rules,
    String schema,
    List<KubeObject> bindings,
    Map<LogicalCluster, List<KubeObject>> configurations,
    List<X509Certificate> authorities,
    String caBundle,
    Optional<WebhookProbe> webhook,
    List<String> missingRights) {

  /** A workspace as its users know it. */
  String named(LogicalCluster cluster) {
    return Optional.ofNullable(rules.paths().get(cluster))
        .map(path -> path.value())
        .orElseGet(cluster::name);
  }
}
