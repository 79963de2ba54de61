package dev.mooring.sandbox.http.resource;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.status.ApiFailure;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.OptionalLong;

/**
 * Where the next page of a list starts: behind an object, at the version of the first page. Opaque
 * to clients.
 *
 * @param left how many objects follow; empty if they were not counted
 */
record ContinueToken(long version, ObjectKey after, OptionalLong left) {
  private static final String FORMAT = "meta.k8s.io/v1";
  private static final String START = "start";
  private static final String LEFT = "left";
  private static final String SEPARATOR = "/";

  String text() {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("v", FORMAT);
    tree.put("rv", version);
    tree.put(
        START, after.cluster().name() + SEPARATOR + after.namespace() + SEPARATOR + after.name());
    left.ifPresent(count -> tree.put(LEFT, count));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(KubeJson.write(tree));
  }

  /** Status 410, with a token that goes on with what there is now. */
  ApiFailure expired() {
    KubeObject status =
        ApiFailure.expired(
                "The provided continue parameter is too old to display a consistent list result."
                    + " You can start a new list without the continue parameter, or use the"
                    + " continue token in this response to retrieve the remainder of the results."
                    + " Continuing with the provided token results in an inconsistent list -"
                    + " objects that were created, modified, or deleted between the time the first"
                    + " chunk was returned and now may show up in the list.")
            .status();
    return ApiFailure.ofStatus(
        410,
        status.with(
            new ContinueToken(-1, after, OptionalLong.empty()).text(), "metadata", "continue"));
  }

  /** Throws {@link ApiFailure} 400. */
  static ContinueToken of(String text) {
    try {
      Object tree = KubeJson.read(Base64.getUrlDecoder().decode(text));
      String[] start = Trees.text(tree, START).split(SEPARATOR, 3);
      if (Trees.text(tree, "v").equals(FORMAT)
          && Trees.at(tree, "rv") instanceof Long version
          && version != 0
          && start.length == 3
          && !List.of(start).contains("..")) {
        return new ContinueToken(
            version,
            new ObjectKey(new LogicalCluster(start[0]), start[1], start[2]),
            Trees.at(tree, LEFT) instanceof Long left && left > 0
                ? OptionalLong.of(left)
                : OptionalLong.empty());
      }
    } catch (IllegalArgumentException | MalformedJson notOurs) {
      throw refused();
    }
    throw refused();
  }

  private static ApiFailure refused() {
    return ApiFailure.badRequest("invalid continue token: no list of this server ended with it");
  }
}
