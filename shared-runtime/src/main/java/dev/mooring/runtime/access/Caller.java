package dev.mooring.runtime.access;

import dev.mooring.model.object.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Who sends a request, as the server says.
 *
 * @param uid empty if the server gave none
 */
public record Caller(
    String username, String uid, List<String> groups, Map<String, List<String>> extra) {
  public Caller {
    groups = List.copyOf(groups);
    extra = Map.copyOf(extra);
  }

  /**
   * @param userInfo of a TokenReview's status or an admission review's request; what cannot be read
   *     of it gives no user a permission
   */
  public static Caller of(Map<String, ?> userInfo) {
    var extra = new LinkedHashMap<String, List<String>>();
    Trees.map(userInfo, "extra").forEach((key, values) -> extra.put(key, Trees.texts(values)));
    return new Caller(
        Trees.text(userInfo, "username"),
        Trees.text(userInfo, "uid"),
        Trees.texts(userInfo.get("groups")),
        extra);
  }
}
