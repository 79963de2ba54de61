package dev.mooring.sandbox.http.resource;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.codec.GoJson;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * Where the next page of a list starts: behind an object, at the version of the first page. Opaque
 * to clients.
 */
record ContinueToken(long version, ObjectKey after) {
  private static final String FORMAT = "meta.k8s.io/v1";
  private static final String START = "start";
  private static final String SEPARATOR = "/";
  private static final String INVALID = "continue key is not valid: ";

  String text() {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("v", FORMAT);
    tree.put("rv", version);
    tree.put(
        START, after.cluster().name() + SEPARATOR + after.namespace() + SEPARATOR + after.name());
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
        410, status.with(new ContinueToken(-1, after).text(), "metadata", "continue"));
  }

  /** Throws {@link ApiFailure} 400. */
  static ContinueToken of(String text) {
    try {
      int odd = firstOdd(text);
      if (odd < text.length()) {
        throw refused("illegal base64 data at input byte " + odd);
      }
      Object tree = GoJson.read(Base64.getUrlDecoder().decode(text));
      String format = Trees.text(tree, "v");
      if (!format.equals(FORMAT)) {
        throw refused("server does not recognize this encoded version " + format);
      }
      if (!(Trees.at(tree, "rv") instanceof Long version) || version == 0) {
        throw refused("incorrect encoded start resourceVersion (version " + FORMAT + ")");
      }
      if (Trees.text(tree, START).isEmpty()) {
        throw refused("encoded start key empty (version " + FORMAT + ")");
      }
      String key = Trees.text(tree, START);
      String[] start = key.split(SEPARATOR, 3);
      if (start.length < 3 || List.of(start).contains("..")) {
        throw refused(key);
      }
      return new ContinueToken(
          version, new ObjectKey(new LogicalCluster(start[0]), start[1], start[2]));
    } catch (IllegalArgumentException | MalformedJson e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  /** Where the text is no base64 any more; its length if that is nowhere. */
  private static int firstOdd(String text) {
    int at = 0;
    while (at < text.length()
        && (Character.isLetterOrDigit(text.charAt(at)) && text.charAt(at) < 128
            || "-_".indexOf(text.charAt(at)) >= 0)) {
      at++;
    }
    return at;
  }

  private static ApiFailure refused(String why) {
    return ApiFailure.badRequest("invalid continue token: " + INVALID + why);
  }
}
