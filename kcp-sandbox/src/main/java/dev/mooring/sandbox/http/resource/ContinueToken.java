package dev.mooring.sandbox.http.resource;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.status.ApiFailure;
import java.util.Base64;
import java.util.LinkedHashMap;

/**
 * Where the next page of a list starts: behind an object, at the version of the first page. Opaque
 * to clients.
 */
record ContinueToken(long version, ObjectKey after) {
  private static final String FORMAT = "meta.k8s.io/v1";

  String text() {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("v", FORMAT);
    tree.put("rv", version);
    tree.put("cluster", after.cluster().name());
    tree.put("namespace", after.namespace());
    tree.put("name", after.name());
    return Base64.getUrlEncoder().withoutPadding().encodeToString(KubeJson.write(tree));
  }

  /** Throws {@link ApiFailure} 400. */
  static ContinueToken of(String text) {
    try {
      KubeObject tree = KubeJson.readObject(Base64.getUrlDecoder().decode(text));
      if (tree.at("rv") instanceof Long version && tree.text("v").equals(FORMAT)) {
        return new ContinueToken(
            version,
            new ObjectKey(
                new LogicalCluster(tree.text("cluster")),
                tree.text("namespace"),
                tree.text("name")));
      }
    } catch (IllegalArgumentException | MalformedJson e) {
      throw ApiFailure.badRequest("continue key is not valid: " + e.getMessage());
    }
    throw ApiFailure.badRequest(
        "continue key is not valid: server does not recognize this encoded version");
  }
}
