package dev.mooring.runtime.access;

import dev.mooring.runtime.access.RightsReviewer.Need;
import dev.mooring.runtime.access.RightsReviewer.Right;
import dev.mooring.runtime.client.KubeClient;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What services need in the workspace of the dependency APIExport.
 *
 * @param where that workspace
 */
public record DependencyWorkspace(String export, KubeClient where) {
  private static final String MANIFEST = "charts/mooring/kcp/rbac-dependency-workspace.yaml";

  /** To find the export's endpoints, and to follow what they show. */
  public Need following(Right... more) {
    var rights = new ArrayList<Right>();
    for (String verb : List.of("list", "watch")) {
      rights.add(Right.to(verb, "apis.kcp.io", "apiexportendpointslices"));
      rights.add(content(verb));
    }
    rights.addAll(List.of(more));
    return need(rights);
  }

  /** Through the export. */
  public Right content(String verb) {
    return new Right(verb, "apis.kcp.io", "apiexports/content", "", export);
  }

  /** To know who calls an endpoint, and whether that is permitted. */
  public Need reviewingCallers() {
    return need(
        List.of(
            Right.to("create", "authentication.k8s.io", "tokenreviews"),
            Right.to("create", "authorization.k8s.io", "subjectaccessreviews")));
  }

  /**
   * @param name empty for all
   */
  public Need secrets(String namespace, String name, String... verbs) {
    return need(
        Stream.of(verbs).map(verb -> new Right(verb, "", "secrets", namespace, name)).toList());
  }

  public Need leases(String namespace, String... verbs) {
    return need(
        Stream.of(verbs)
            .map(verb -> new Right(verb, "coordination.k8s.io", "leases", namespace, ""))
            .toList());
  }

  private Need need(List<Right> rights) {
    return new Need("the workspace of APIExport " + export, where, rights, MANIFEST);
  }
}
