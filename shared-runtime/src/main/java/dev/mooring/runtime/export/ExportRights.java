package dev.mooring.runtime.export;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeFailure;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * What a service's user needs in the workspace of an APIExport. Where kcp refuses a request through
 * the export it names the resource that was asked for, which no role can grant there.
 *
 * @param workspace the URL of the export's workspace
 */
record ExportRights(String export, URI workspace) {
  private static final String FOLLOW = "get, list and watch";

  /** What to grant, and where, for requests by these verbs. */
  String content(String verbs) {
    return "let this service's user "
        + verbs
        + " apiexports/content of APIExport "
        + export
        + " in "
        + workspace;
  }

  /** The failure of one who follows this type, with what to do about it if a right is missing. */
  @Nullable String explain(ResourceType followed, KubeFailure failure) {
    if (!failure.isMissingRight()) {
      return failure.getMessage();
    }
    String remedy =
        followed.equals(ExportEndpoints.SLICES)
            ? "let this service's user "
                + FOLLOW
                + " apiexportendpointslices.apis.kcp.io in "
                + workspace
            : content(FOLLOW);
    return remedy + ", and access / there: " + failure.getMessage();
  }
}
