package dev.mooring.sandbox.kcp.virtual;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.request.VirtualWorkspaces;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The virtual workspaces of APIExports: {@code
 * /services/apiexport/<cluster>/<export>/clusters/<name or *>}. Clusters are named, never given by
 * path.
 */
public record ExportVirtualWorkspaces(ExportScopeParts parts) implements VirtualWorkspaces {
  private static final Pattern FORM =
      Pattern.compile("/services/apiexport/([^/]+)/([^/]+)/clusters/([a-z0-9-]+|\\*)(/.*?)?/?");

  @Override
  public Resolved resolve(String path, UserInfo user) {
    Matcher form = FORM.matcher(path);
    if (!form.matches()) {
      throw notResolved(path, user);
    }
    String provider = form.group(1);
    String name = form.group(2);
    Optional<LogicalCluster> consumer =
        form.group(3).equals("*")
            ? Optional.empty()
            : Optional.of(new LogicalCluster(form.group(3)));
    ApiFailure missing =
        ApiFailure.plain(
            500,
            ("Internal Server Error: \"%s\": API export not found: "
                    + "apiexport.apis.kcp.io \"%s\" not found\n")
                .formatted(path, name));
    if (provider.contains(":")) {
      throw missing;
    }
    var cluster = new LogicalCluster(provider);
    Optional<KubeObject> export = parts.exports().export(cluster, name);
    String rest = form.group(4) == null ? "" : form.group(4);
    var address = new ExportScope.Address(cluster, name, consumer);
    return new Resolved(new ExportScope(parts, address, export, missing), rest);
  }

  static ApiFailure notResolved(String path, UserInfo user) {
    return ApiFailure.forbidden(
        ("User \"%s\" cannot get path \"%s\": Path not resolved to a valid virtual " + "workspace")
            .formatted(user.name(), path));
  }
}
