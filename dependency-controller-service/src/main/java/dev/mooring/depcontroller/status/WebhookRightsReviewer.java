package dev.mooring.depcontroller.status;

import dev.mooring.depcontroller.status.decide.WebhookRights;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.WebhookContract;
import dev.mooring.runtime.access.Caller;
import dev.mooring.runtime.access.PermissionReviewer;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks kcp which types of rules the webhook's user may read, in the workspace of the dependency
 * APIExport: what system:admin of its shard grants counts there as in consumers' workspaces. A user
 * that may not even read APIBindings is not the webhook's, or its shard is starting: then nothing
 * is concluded. One review at a time; {@link #current} is thread-safe.
 */
public final class WebhookRightsReviewer {
  private static final Logger LOG = LoggerFactory.getLogger(WebhookRightsReviewer.class);

  /** The other types are not reviewed. */
  private static final int TYPES_MAX = 500;

  /** What every webhook reads in consumers' workspaces. */
  private static final GroupResource BINDINGS = new GroupResource("apis.kcp.io", "apibindings");

  private final KubeClient where;
  private final Caller webhook;
  private volatile WebhookRights current;

  /**
   * @param where the workspace of the dependency APIExport
   * @param user empty if it is not known; no type is refused then
   */
  public WebhookRightsReviewer(KubeClient where, String user) {
    this.where = where;
    this.webhook = new Caller(user, "", List.of("system:authenticated"), Map.of());
    this.current = new WebhookRights(user, Set.of(), Set.of());
  }

  /** As last reviewed. */
  public WebhookRights current() {
    return current;
  }

  /**
   * Blocks; returns whether the result is another than before.
   *
   * @throws KubeFailure if the cluster could not say; not if the controller may not ask
   */
  public boolean review(Collection<DependencyRule> rules) {
    WebhookRights before = current;
    Set<GroupResource> types =
        rules.stream().flatMap(rule -> rule.read().stream()).collect(Collectors.toSet());
    current = new WebhookRights(before.user(), types, refused(types, before.refused()));
    current.refused().stream()
        .filter(type -> !before.refused().contains(type))
        .forEach(type ->
            LOG.warn(
                "The webhook's user {} may not get and list {}: {}",
                webhook.username(),
                type,
                WebhookContract.grant(type)));
    return !current.equals(before);
  }

  private Set<GroupResource> refused(Set<GroupResource> types, Set<GroupResource> before) {
    if (webhook.username().isEmpty()) {
      return Set.of();
    }
    try {
      if (permits("list", BINDINGS)) {
        return new TreeSet<>(types)
            .stream()
                .limit(TYPES_MAX)
                .filter(type -> !permits("get", type) || !permits("list", type))
                .collect(Collectors.toSet());
      }
    } catch (KubeFailure failure) {
      if (failure.kind() != KubeFailure.Kind.FORBIDDEN) {
        throw failure;
      }
      LOG.debug("The webhook's rights could not be reviewed: {}", failure.getMessage());
    }
    return before.stream().filter(types::contains).collect(Collectors.toSet());
  }

  private boolean permits(String verb, GroupResource type) {
    return PermissionReviewer.permits(where, webhook, verb, type, "");
  }
}
