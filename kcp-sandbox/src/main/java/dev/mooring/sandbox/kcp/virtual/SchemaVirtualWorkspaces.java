package dev.mooring.sandbox.kcp.virtual;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.sandbox.api.request.VirtualWorkspaces;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The virtual workspaces of consumers' schemas: {@code
 * /services/apiresourceschema/<consumer>/clusters/<the same or *>}. They show the
 * APIResourceSchemas of the exports that the consumer has bound, read-only.
 */
public record SchemaVirtualWorkspaces(ExportScopeParts parts) implements VirtualWorkspaces {
  public static final String SERVICE = "apiresourceschema";

  private static final Pattern FORM =
      Pattern.compile(
          "/services/" + SERVICE + "/([a-z0-9-]+)(?:/clusters/([a-z0-9-]+|\\*))?(/.*?)?/?");

  @Override
  public Resolved resolve(String path, UserInfo user) {
    Matcher form = FORM.matcher(path);
    if (!form.matches() || !isSame(form.group(1), form.group(2))) {
      throw ExportVirtualWorkspaces.notResolved(path, user);
    }
    String rest = form.group(3) == null ? "" : form.group(3);
    return new Resolved(SchemaScope.of(parts, new LogicalCluster(form.group(1))), rest);
  }

  private static boolean isSame(String consumer, String cluster) {
    return cluster == null || cluster.equals("*") || cluster.equals(consumer);
  }
}
