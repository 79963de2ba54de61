package dev.mooring.sandbox.security.authentication;

import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.security.user.Subject;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The user whom a request asks to be, as its {@code Impersonate-*} headers say. */
record WantedUser(String name, String uid, List<String> groups, Map<String, List<String>> extra) {
  private static final String EXTRA = "impersonate-extra-";

  /**
   * Empty if no user is asked for.
   *
   * @param headers names in lower case
   * @throws ApiFailure 400 for parts of a user without a name
   */
  static Optional<WantedUser> of(Map<String, List<String>> headers) {
    var wanted =
        new WantedUser(
            first(headers, "impersonate-user"),
            first(headers, "impersonate-uid"),
            headers.getOrDefault("impersonate-group", List.of()),
            extra(headers));
    if (!wanted.name.isEmpty()) {
      return Optional.of(wanted);
    }
    if (wanted.uid.isEmpty() && wanted.groups.isEmpty() && wanted.extra.isEmpty()) {
      return Optional.empty();
    }
    throw ApiFailure.badRequest("a user's uid, groups or extra need impersonate-user");
  }

  private static Map<String, List<String>> extra(Map<String, List<String>> headers) {
    var extra = new LinkedHashMap<String, List<String>>();
    headers.forEach((header, values) -> {
      if (header.startsWith(EXTRA)) {
        String key =
            URLDecoder.decode(
                header.substring(EXTRA.length()).replace("+", "%2B"), StandardCharsets.UTF_8);
        extra.put(key, new ArrayList<>(values));
      }
    });
    return extra;
  }

  private static String first(Map<String, List<String>> headers, String name) {
    List<String> values = headers.getOrDefault(name, List.of());
    return values.isEmpty() ? "" : values.getFirst();
  }

  /** A service account by its user name. */
  record Account(String namespace, String name) {}

  Optional<Account> account() {
    if (!name.startsWith(Subject.SERVICE_ACCOUNT_PREFIX)) {
      return Optional.empty();
    }
    String[] parts = name.substring(Subject.SERVICE_ACCOUNT_PREFIX.length()).split(":", -1);
    return parts.length == 2 ? Optional.of(new Account(parts[0], parts[1])) : Optional.empty();
  }

  /** Groups that come with the name of a service account. */
  List<String> impliedGroups() {
    return groups.isEmpty()
        ? account()
            .map(account ->
                List.of("system:serviceaccounts", "system:serviceaccounts:" + account.namespace()))
            .orElseGet(List::of)
        : List.of();
  }
}
