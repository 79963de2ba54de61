package dev.mooring.sandbox.kcp.virtual;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.request.VirtualWorkspaces;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.kcp.object.decide.Lifecycle;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The virtual workspaces of initializers and of terminators: {@code
 * /services/initializingworkspaces/<controller>/clusters/<name or *>}. For all clusters they show
 * the LogicalClusters that wait for the controller, read-only. For one cluster they let the
 * controller remove itself from the LogicalCluster's status, and forward all other requests to the
 * cluster itself, as {@link LifecycleContentScope} says.
 */
public record LifecycleVirtualWorkspaces(Lifecycle lifecycle, LifecycleScopeParts parts)
    implements VirtualWorkspaces {
  private static final Pattern FORM =
      Pattern.compile("/services/[^/]+/([^/]+)/clusters/([a-z0-9-]+|\\*)(/.*?)?/?");

  private static final Pattern LOGICAL_CLUSTERS =
      Pattern.compile("/apis/core\\.kcp\\.io/[^/]+/logicalclusters(/.*)?");

  /** Paths that are no resources: discovery, version, OpenAPI. */
  private static final Pattern DOCUMENTS =
      Pattern.compile("/api(/[^/]+)?|/apis(/[^/]+){0,2}|/(version|openapi)(/.*)?");

  /**
   * One of its controllers.
   *
   * @param name as it came: {@code <logical cluster>:<type>}
   * @param path of the request, from {@code /services/} on
   */
  record Controller(Lifecycle lifecycle, String name, String path) {
    /**
     * The logical cluster of its WorkspaceType.
     *
     * @throws ApiFailure 500 for a name without a cluster, as kcp answers
     */
    LogicalCluster cluster() {
      int colon = name.lastIndexOf(':');
      if (colon <= 0) {
        throw ApiFailure.plain(
            500, "Internal Server Error: \"%s\": access not permitted\n".formatted(path));
      }
      return new LogicalCluster(name.substring(0, colon));
    }

    /** The name of its WorkspaceType. */
    String type() {
      return name.substring(name.lastIndexOf(':') + 1);
    }

    boolean isPending(KubeObject logicalCluster) {
      boolean open =
          switch (lifecycle) {
            case INITIALIZING -> logicalCluster.text("status", "phase").equals("Initializing");
            case TERMINATING -> logicalCluster.deleting();
          };
      return open && lifecycle.pending(logicalCluster).contains(name);
    }
  }

  @Override
  public Resolved resolve(String path, UserInfo user) {
    Matcher form = FORM.matcher(path);
    if (!form.matches()) {
      throw ExportVirtualWorkspaces.notResolved(path, user);
    }
    var controller = new Controller(lifecycle, form.group(1), path);
    String rest = form.group(3) == null ? "" : form.group(3);
    if (form.group(2).equals("*")) {
      return new Resolved(new LifecycleScope(parts, controller, Optional.empty()), rest);
    }
    var cluster = new LogicalCluster(form.group(2));
    boolean own =
        LOGICAL_CLUSTERS.matcher(rest).matches()
            || lifecycle == Lifecycle.TERMINATING && DOCUMENTS.matcher(rest).matches();
    return new Resolved(
        own
            ? new LifecycleScope(parts, controller, Optional.of(cluster))
            : new LifecycleContentScope(parts, controller, cluster, rest),
        rest);
  }
}
