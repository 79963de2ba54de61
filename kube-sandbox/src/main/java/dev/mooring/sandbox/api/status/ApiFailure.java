package dev.mooring.sandbox.api.status;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.GoText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A request's failure, carrying the whole {@code metav1.Status} that the client gets. Texts are
 * those of Kubernetes' apimachinery ({@code pkg/api/errors}).
 */
public final class ApiFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int code;
  private final transient KubeObject status;
  private final boolean plain;

  private ApiFailure(int code, KubeObject status, boolean plain) {
    super(status.text("message"), null, false, false);
    this.code = code;
    this.status = status;
    this.plain = plain;
  }

  /** The HTTP status code. */
  public int code() {
    return code;
  }

  public String reason() {
    return status.text("reason");
  }

  public KubeObject status() {
    return status;
  }

  /** Whether the client gets the message as text, not a Status. */
  public boolean isPlain() {
    return plain;
  }

  /**
   * Any failure.
   *
   * @param reason empty for none
   * @param details null for none; empty for an empty object
   */
  public static ApiFailure of(
      int code, String reason, String message, @Nullable Map<String, Object> details) {
    var status = new LinkedHashMap<String, Object>();
    status.put("kind", "Status");
    status.put("apiVersion", "v1");
    status.put("metadata", Map.of());
    status.put("status", "Failure");
    status.put("message", message);
    if (!reason.isEmpty()) {
      status.put("reason", reason);
    }
    if (details != null) {
      status.put("details", details);
    }
    status.put("code", code);
    return new ApiFailure(code, KubeObject.of(status), false);
  }

  /** A failure that is answered as text, where kcp's router and not an API answers. */
  public static ApiFailure plain(int code, String text) {
    return new ApiFailure(code, KubeObject.of(Map.of("message", text)), true);
  }

  /** What kcp's router says where nothing is served. */
  public static ApiFailure pageNotFound() {
    return plain(404, "404 page not found\n");
  }

  /** A status that came from elsewhere, such as an admission webhook, passed on as it is. */
  public static ApiFailure ofStatus(int code, KubeObject status) {
    return new ApiFailure(code, status, false);
  }

  public static ApiFailure notFound(ResourceType type, String name) {
    return of(404, "NotFound", type.qualified() + quoted(name) + " not found", details(type, name));
  }

  /** A path that nothing serves, inside a group that is served. */
  public static ApiFailure notServed() {
    return of(404, "NotFound", "the server could not find the requested resource", Map.of());
  }

  public static ApiFailure alreadyExists(ResourceType type, String name) {
    return of(
        409,
        "AlreadyExists",
        type.qualified() + quoted(name) + " already exists",
        details(type, name));
  }

  public static ApiFailure conflict(ResourceType type, String name, String why) {
    return of(
        409,
        "Conflict",
        "Operation cannot be fulfilled on " + type.qualified() + quoted(name) + ": " + why,
        details(type, name));
  }

  /** A write based on a version that is no longer the stored one. */
  public static ApiFailure staleVersion(ResourceType type, String name) {
    return conflict(
        type,
        name,
        "the object has been modified; please apply your changes to the latest version and try"
            + " again");
  }

  /** 422: the object is well-formed but breaks rules. */
  public static ApiFailure invalid(
      String group, String kind, String name, List<FieldError> errors) {
    List<Object> causes =
        errors.stream()
            .<Object>map(error -> cause(error.reason(), error.message(), error.field()))
            .toList();
    String text = GoText.aggregate(errors.stream().map(FieldError::toString).toList());
    Map<String, Object> details =
        Trees.orderedNonEmpty("name", name, "group", group, "kind", kind, "causes", causes);
    String qualified = group.isEmpty() ? kind : kind + "." + group;
    return of(422, "Invalid", qualified + quoted(name) + " is invalid: " + text, details);
  }

  /** What is forbidden is no object. */
  public static ApiFailure forbidden(String message) {
    return of(403, "Forbidden", "forbidden: " + message, Map.of());
  }

  /** 422: an option of a request breaks rules. */
  public static ApiFailure invalidOption(String optionsKind, FieldError error) {
    return invalid("meta.k8s.io", optionsKind, "", List.of(error));
  }

  /** The name may be empty. */
  public static ApiFailure forbidden(ResourceType type, String name, String why) {
    String subject = name.isEmpty() ? type.qualified() : type.qualified() + quoted(name);
    return of(403, "Forbidden", subject + " is forbidden: " + why, details(type, name));
  }

  public static ApiFailure badRequest(String message) {
    return of(400, "BadRequest", message, null);
  }

  public static ApiFailure unauthorized() {
    return of(401, "Unauthorized", "Unauthorized", null);
  }

  /** A path that exists, asked with an HTTP method that it does not know. */
  public static ApiFailure methodNotAllowed() {
    return of(
        405,
        "MethodNotAllowed",
        "the server does not allow this method on the requested resource",
        Map.of());
  }

  public static ApiFailure expired(String message) {
    return of(410, "Expired", message, null);
  }

  public static ApiFailure internal(String message) {
    return of(
        500,
        "InternalError",
        "Internal error occurred: " + message,
        Map.of("causes", List.of(Map.of("message", message))));
  }

  public static ApiFailure tooManyRequests(String message, int retryAfterSeconds) {
    return of(
        429, "TooManyRequests", message, Map.of("retryAfterSeconds", (long) retryAfterSeconds));
  }

  /** Accepted media types are listed in the message, in the order given. */
  public static ApiFailure unsupportedMediaType(List<String> accepted) {
    return of(
        415,
        "UnsupportedMediaType",
        "the body of the request was in an unknown format - accepted media types include: "
            + String.join(", ", accepted),
        null);
  }

  /** {@code name}, {@code group} and {@code kind} (which is the resource's name), if not empty. */
  public static LinkedHashMap<String, Object> details(ResourceType type, String name) {
    return Trees.orderedNonEmpty("name", name, "group", type.group(), "kind", type.resource());
  }

  public static Map<String, Object> cause(String reason, String message, String field) {
    return Trees.orderedNonEmpty("reason", reason, "message", message, "field", field);
  }

  private static String quoted(String name) {
    return " \"" + name + "\"";
  }
}
