package dev.mooring.sandbox.kcp.virtual;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.request.VirtualWorkspaces;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.kcp.cached.VirtualResources;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The virtual workspaces of CachedResourceEndpointSlices: {@code
 * /services/replication/<cluster>/<slice>/clusters/<name or *>}. They show to one consumer of an
 * export the objects that a CachedResource has at the cache server, read-only.
 */
public record ReplicationVirtualWorkspaces(ExportScopeParts parts, VirtualResources resources)
    implements VirtualWorkspaces {
  public static final String SERVICE = "replication";

  private static final Pattern FORM =
      Pattern.compile("/services/" + SERVICE + "/([^/]+)/([^/]+)/clusters/([a-z0-9-]+|\\*)(/.*)?");

  @Override
  public Resolved resolve(String path, UserInfo user) {
    Matcher form = FORM.matcher(path);
    if (!form.matches()) {
      throw ExportVirtualWorkspaces.notResolved(path, user);
    }
    String name = form.group(2);
    KubeObject slice =
        Optional.of(form.group(1))
            .filter(cluster -> !cluster.contains(":"))
            .flatMap(cluster -> resources.slice(new LogicalCluster(cluster), name))
            .orElseThrow(() ->
                missing(path, "cachedresourceendpointslice.cache.kcp.io \"%s\"".formatted(name)));
    Optional<LogicalCluster> consumer =
        Optional.of(form.group(3)).filter(it -> !it.equals("*")).map(LogicalCluster::new);
    String rest = form.group(4) == null ? "" : form.group(4);
    return new Resolved(new ReplicationScope(parts, resources, slice, consumer, path), rest);
  }

  static ApiFailure missing(String path, String what) {
    return ApiFailure.plain(
        500, "Internal Server Error: \"%s\": %s not found\n".formatted(path, what));
  }
}
