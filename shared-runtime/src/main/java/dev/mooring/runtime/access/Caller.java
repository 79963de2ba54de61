package dev.mooring.runtime.access;

import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Who a token belongs to, as the server says.
 *
 * @param uid empty if the server gave none
 */
public record Caller(
    String username, String uid, List<String> groups, Map<String, List<String>> extra) {
  public Caller {
    Objects.requireNonNull(username, "username");
    Objects.requireNonNull(uid, "uid");
    groups = List.copyOf(groups);
    extra = Map.copyOf(extra);
  }
}
