package dev.mooring.acceptance;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request of a management endpoint.
 *
 * @param template of the path, such as {@code /actuator/status/{provider}}
 * @param path of the request, with its query
 * @param body as JSON; empty for none
 */
record ManagementCall(String method, String template, String path, Caller caller, String body) {
  private static final Pattern PARAMETER = Pattern.compile("\\{[^}]*}");

  enum Caller {
    /** Sends no token. */
    ANONYMOUS,
    /** Has a token and no permission. */
    STRANGER,
    /** Has the role that operators get. */
    OPERATOR
  }

  /**
   * By a caller without a token.
   *
   * @param names in place of the template's parameters
   */
  static ManagementCall of(String method, String template, String... names) {
    String path = template;
    for (String name : names) {
      path = PARAMETER.matcher(path).replaceFirst(Matcher.quoteReplacement(name));
    }
    return new ManagementCall(method, template, path, Caller.ANONYMOUS, "");
  }

  static ManagementCall get(String template, String... names) {
    return of("GET", template, names);
  }

  ManagementCall by(Caller other) {
    return new ManagementCall(method, template, path, other, body);
  }

  ManagementCall sending(String json) {
    return new ManagementCall(method, template, path, caller, json);
  }

  ManagementCall asking(String query) {
    return new ManagementCall(method, template, path + "?" + query, caller, body);
  }
}
