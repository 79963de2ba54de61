package dev.mooring.sandbox.http.resource;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.http.exchange.Exchange;
import dev.mooring.sandbox.selector.FieldQuery;
import dev.mooring.sandbox.selector.LabelQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The options of a list or watch, checked as Kubernetes checks them.
 *
 * @param limit 0 for none
 * @param continueToken empty for the first page
 * @param version what {@code resourceVersion} says; empty if absent
 * @param match what {@code resourceVersionMatch} says; may be empty
 * @param timeoutSeconds 0 for the server's choice
 */
record ListQuery(
    LabelQuery labels,
    FieldQuery fields,
    long limit,
    String continueToken,
    OptionalLong version,
    String match,
    Initial initial,
    Bookmarks bookmarks,
    long timeoutSeconds) {
  private static final String EXACT = "Exact";
  private static final String NOT_OLDER = "NotOlderThan";

  /** Whether a watch starts with what is there. */
  enum Initial {
    AS_VERSION_SAYS,
    SENT,
    NOT_SENT
  }

  /** Whether a watch tells its progress. */
  enum Bookmarks {
    SENT,
    NOT_SENT
  }

  /** Throws {@link ApiFailure} 400 or 422. */
  static ListQuery of(Exchange exchange, ResourceDefinition definition, boolean watch) {
    var errors = new ArrayList<FieldError>();
    String version = exchange.query("resourceVersion");
    String match = exchange.query("resourceVersionMatch");
    boolean hasInitial = exchange.has("sendInitialEvents");
    checkMatch(version, match, exchange.query("continue"), errors);
    checkInitial(hasInitial, watch, match, errors);
    if (!errors.isEmpty()) {
      throw ApiFailure.invalid("meta.k8s.io", "ListOptions", "", errors);
    }
    return new ListQuery(
        labels(exchange.query("labelSelector")),
        fields(exchange, definition),
        number(exchange.query("limit"), "limit"),
        exchange.query("continue"),
        version(version),
        match,
        !hasInitial
            ? Initial.AS_VERSION_SAYS
            : exchange.flag("sendInitialEvents") ? Initial.SENT : Initial.NOT_SENT,
        exchange.flag("allowWatchBookmarks") ? Bookmarks.SENT : Bookmarks.NOT_SENT,
        number(exchange.query("timeoutSeconds"), "timeoutSeconds"));
  }

  boolean selectsEverything() {
    return labels.selectsEverything() && fields.selectsEverything();
  }

  boolean selects(KubeObject object) {
    return labels.test(object.labels()) && fields.test(object);
  }

  boolean exact() {
    return match.equals(EXACT);
  }

  private static void checkMatch(
      String version, String match, String token, List<FieldError> errors) {
    if (match.isEmpty()) {
      return;
    }
    if (version.isEmpty() && match.equals(EXACT)) {
      errors.add(
          FieldError.forbidden(
              "resourceVersionMatch",
              "resourceVersionMatch is forbidden unless resourceVersion is provided"));
    }
    if (!token.isEmpty()) {
      errors.add(
          FieldError.forbidden(
              "resourceVersionMatch",
              "resourceVersionMatch is forbidden when continue is provided"));
    }
    if (!match.equals(EXACT) && !match.equals(NOT_OLDER)) {
      errors.add(
          FieldError.notSupported("resourceVersionMatch", match, List.of(EXACT, NOT_OLDER, "")));
    }
    if (match.equals(EXACT) && version.equals("0")) {
      errors.add(
          FieldError.forbidden(
              "resourceVersionMatch",
              "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
    }
  }

  private static void checkInitial(
      boolean hasInitial, boolean watch, String match, List<FieldError> errors) {
    if (!hasInitial) {
      return;
    }
    if (!watch) {
      errors.add(
          FieldError.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
    } else if (!match.equals(NOT_OLDER)) {
      errors.add(
          FieldError.forbidden(
              "resourceVersionMatch",
              "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
    }
  }

  private static LabelQuery labels(String text) {
    try {
      return LabelQuery.parse(text);
    } catch (IllegalArgumentException e) {
      throw ApiFailure.badRequest(String.valueOf(e.getMessage()));
    }
  }

  private static FieldQuery fields(Exchange exchange, ResourceDefinition definition) {
    String text = exchange.query("fieldSelector");
    try {
      return FieldQuery.parse(text, definition.fields(), field -> notSelectable(definition, field));
    } catch (IllegalArgumentException e) {
      throw ApiFailure.badRequest(String.valueOf(e.getMessage()));
    }
  }

  /** Typed resources without fields of their own share a sentence (apimachinery, conversion). */
  private static String notSelectable(ResourceDefinition definition, String field) {
    boolean shared =
        definition.origin() == ResourceDefinition.Origin.BUILT_IN && definition.fields().isEmpty();
    return shared
        ? "\"%s\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
            .formatted(field)
        : FieldQuery.notSupported(field);
  }

  private static OptionalLong version(String text) {
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseUnsignedLong(text));
    } catch (NumberFormatException e) {
      throw ApiFailure.badRequest(
          ("resourceVersion: Invalid value: \"%s\": strconv.ParseUint: parsing \"%s\": "
                  + "invalid syntax")
              .formatted(text, text));
    }
  }

  private static long number(String text, String name) {
    if (text.isEmpty()) {
      return 0;
    }
    try {
      return Math.max(0, Long.parseLong(text));
    } catch (NumberFormatException e) {
      throw ApiFailure.badRequest(
          "unable to convert query parameter " + name + ": \"" + text + "\" is not a number");
    }
  }
}
