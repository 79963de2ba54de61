package dev.mooring.sandbox.http.resource;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.http.exchange.Exchange;
import dev.mooring.sandbox.selector.FieldQuery;
import dev.mooring.sandbox.selector.LabelSelector;
import dev.mooring.sandbox.storage.StoredObject;
import java.util.List;
import java.util.OptionalLong;

/**
 * The options of a list or watch, checked as Kubernetes checks them.
 *
 * @param limit 0 for none
 * @param continueToken empty for the first page
 * @param version what {@code resourceVersion} says; empty if absent
 * @param match what {@code resourceVersionMatch} says; may be empty
 * @param replays whether a watch begins with what is there
 * @param bookmarks whether a watch tells its progress
 * @param timeoutSeconds 0 for the server's choice, less for none at all
 */
record ListQuery(
    LabelSelector labels,
    FieldQuery fields,
    long limit,
    String continueToken,
    OptionalLong version,
    String match,
    boolean replays,
    boolean bookmarks,
    long timeoutSeconds) {
  private static final String EXACT = "Exact";
  private static final String NOT_OLDER = "NotOlderThan";
  private static final String MATCH = "resourceVersionMatch";
  private static final String CONTINUED =
      "resourceVersionMatch is forbidden when continue is provided";

  /** Throws {@link ApiFailure} 400 or 422. */
  static ListQuery of(Exchange exchange, ResourceDefinition definition, boolean watch) {
    var errors = new FieldErrors();
    String version = exchange.query("resourceVersion");
    String match = exchange.query("resourceVersionMatch");
    boolean hasInitial = exchange.has("sendInitialEvents");
    String token = exchange.query("continue");
    if (watch) {
      checkWatch(hasInitial, version, match, token, errors);
    } else {
      checkMatch(version, match, token, errors);
      if (hasInitial) {
        errors.forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list");
      }
    }
    if (!errors.isEmpty()) {
      throw ApiFailure.invalid("meta.k8s.io", "ListOptions", "", errors);
    }
    if (!watch && !token.isEmpty() && !version.isEmpty() && !version.equals("0")) {
      throw ApiFailure.badRequest("specifying resource version is not allowed when using continue");
    }
    OptionalLong asked = version(version, watch);
    return new ListQuery(
        labels(exchange.query("labelSelector")),
        fields(exchange, definition),
        number(exchange.query("limit")),
        exchange.query("continue"),
        asked,
        match,
        hasInitial ? exchange.flag("sendInitialEvents") : asked.orElse(0) == 0,
        exchange.flag("allowWatchBookmarks"),
        lasting(exchange.query("timeoutSeconds")));
  }

  boolean selectsEverything() {
    return labels.matchesEverything() && fields.selectsEverything();
  }

  boolean selects(ResourceDefinition definition, StoredObject stored) {
    if (fields.selectsEverything() && definition.converter().servesStored()) {
      return labels.matches(stored.labels());
    }
    KubeObject object = definition.converter().toServedOnce(stored.object());
    return labels.matches(object.labels()) && fields.test(object);
  }

  boolean exact() {
    return match.equals(EXACT);
  }

  private static void checkMatch(String version, String match, String token, FieldErrors errors) {
    if (match.isEmpty()) {
      return;
    }
    if (version.isEmpty()) {
      errors.forbidden(
          MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided");
    }
    if (!token.isEmpty()) {
      errors.forbidden(MATCH, CONTINUED);
    }
    if (!match.equals(EXACT) && !match.equals(NOT_OLDER)) {
      errors.notSupported("resourceVersionMatch", match, List.of(EXACT, NOT_OLDER, ""));
    }
    if (match.equals(EXACT) && version.equals("0")) {
      errors.forbidden(
          MATCH, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\"");
    }
  }

  private static void checkWatch(
      boolean hasInitial, String version, String match, String token, FieldErrors errors) {
    if (hasInitial && !match.equals(NOT_OLDER)) {
      errors.forbidden(
          MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan");
    }
    if (!match.isEmpty() && !hasInitial) {
      errors.forbidden(
          MATCH,
          "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided");
    }
    if (!match.isEmpty() && !match.equals(NOT_OLDER)) {
      errors.notSupported(MATCH, match, List.of(NOT_OLDER));
    }
    // A watch from no version, or from 0, counts as one from any version that is not older.
    boolean fromAny = version.isEmpty() || version.equals("0");
    if (!token.isEmpty() && (fromAny || !match.isEmpty())) {
      errors.forbidden(MATCH, CONTINUED);
    }
  }

  private static LabelSelector labels(String text) {
    try {
      return LabelSelector.parse(text);
    } catch (IllegalArgumentException e) {
      throw ApiFailure.badRequest(String.valueOf(e.getMessage()));
    }
  }

  private static FieldQuery fields(Exchange exchange, ResourceDefinition definition) {
    // Typed resources without fields of their own share a sentence (apimachinery, conversion).
    String refusal =
        definition.origin() == ResourceDefinition.Origin.BUILT_IN && definition.fields().isEmpty()
            ? "\"%s\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
            : FieldQuery.NOT_SUPPORTED;
    try {
      return FieldQuery.parse(exchange.query("fieldSelector"), definition.fields(), refusal);
    } catch (IllegalArgumentException e) {
      throw ApiFailure.badRequest(String.valueOf(e.getMessage()));
    }
  }

  private static OptionalLong version(String text, boolean watch) {
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(Long.parseUnsignedLong(text));
    } catch (NumberFormatException e) {
      throw watch
          ? ApiFailure.of(500, "", unparsable(text), null)
          : ApiFailure.badRequest("invalid resource version: " + unparsable(text));
    }
  }

  /** What Kubernetes says of a version that is no number. */
  static String unparsable(String version) {
    return "resourceVersion: Invalid value: \"%s\": strconv.ParseUint: parsing \"%s\": invalid syntax"
        .formatted(version, version);
  }

  /** A negative time is over at once. */
  private static long lasting(String text) {
    return text.startsWith("-") && number(text.substring(1)) > 0 ? -1 : number(text);
  }

  private static long number(String text) {
    if (text.isEmpty()) {
      return 0;
    }
    try {
      return Math.max(0, Long.parseLong(text));
    } catch (NumberFormatException e) {
      boolean digits = text.matches("[+-]?[0-9]+");
      throw ApiFailure.badRequest(
          "strconv.ParseInt: parsing \"%s\": %s"
              .formatted(text, digits ? "value out of range" : "invalid syntax"));
    }
  }
}
