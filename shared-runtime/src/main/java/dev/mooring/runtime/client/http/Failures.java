package dev.mooring.runtime.client.http;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Tells what a request that was not fulfilled means. */
final class Failures {
  /** A server's message may quote a whole object; what is logged stays readable. */
  static final int MESSAGE_MAX = 2_000;

  /** Plain text answers are pages of proxies as often as messages: the first line's start tells. */
  private static final int PLAIN_TEXT_MAX = 200;

  /** Alerts of RFC 8446, section 6.2, as the JDK words them. */
  private static final Pattern REFUSED_CERTIFICATE =
      Pattern.compile("fatal alert: (bad_certificate|certificate_|unknown_ca)");

  private Failures() {}

  static KubeFailure answered(String request, RequestTarget target, HttpTransport.Answer answer) {
    return ofStatus(request, target, answer.head().code(), status(answer), answer.retryAfter());
  }

  /** Of a {@code Status} that came within a watch, under a 200. */
  static KubeFailure inStream(String request, RequestTarget target, KubeObject status) {
    int code = status.at("code") instanceof Long number ? number.intValue() : 500;
    return ofStatus(request, target, code, status, null);
  }

  /** No answer, or one that broke off. */
  static KubeFailure unanswered(String request, Throwable cause) {
    String said =
        cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    return KubeFailure.unavailable(
        shortened(request + ": no answer: " + remedy(cause, said) + said), cause);
  }

  /** What only a person can put right; empty for all else. */
  private static String remedy(Throwable cause, String said) {
    if (REFUSED_CERTIFICATE.matcher(said).find()) {
      return "the server does not accept the client certificate, put the present one into the"
          + " kubeconfig: ";
    }
    for (Throwable deeper = cause; deeper != null; deeper = deeper.getCause()) {
      if (deeper instanceof CertificateException) {
        return "the server's certificate is not trusted, put the authority that signed it into the"
            + " CA in its kubeconfig: ";
      }
    }
    return "";
  }

  static KubeFailure unreadable(String request, int code, Throwable cause) {
    String message = request + ": " + code + " with an unreadable answer: " + cause.getMessage();
    return new KubeFailure(Kind.UNAVAILABLE, code, "", shortened(message), null, cause);
  }

  private static KubeFailure ofStatus(
      String request,
      RequestTarget target,
      int code,
      KubeObject status,
      @Nullable Duration askedFor) {
    String reason = status.text("reason");
    String said = status.text("message");
    Duration retryAfter =
        askedFor == null && status.at("details", "retryAfterSeconds") instanceof Long seconds
            ? Duration.ofSeconds(seconds)
            : askedFor;
    String message = request + ": " + code + " " + (said.isEmpty() ? reason : said);
    return new KubeFailure(
        kind(target, code, status), code, reason, shortened(message), retryAfter, null);
  }

  private static Kind kind(RequestTarget target, int code, KubeObject status) {
    if (refusedByAdmission(status.text("message"))) {
      return Kind.FORBIDDEN;
    }
    if (refusedByStorage(status.text("message"))) {
      return Kind.TOO_LARGE;
    }
    return switch (code) {
      case 400, 405, 406, 415, 422 -> Kind.INVALID;
      case 401 -> Kind.UNAUTHORIZED;
      case 403 -> Kind.FORBIDDEN;
      case 404 -> names(target, status) ? Kind.NOT_FOUND : Kind.NOT_SERVED;
      case 409 ->
          status.text("reason").equals("AlreadyExists") ? Kind.ALREADY_EXISTS : Kind.CONFLICT;
      case 410 -> Kind.GONE;
      case 413 -> Kind.TOO_LARGE;
      default -> Kind.UNAVAILABLE;
    };
  }

  /**
   * A webhook chooses its own status code, and the server adds no reason: the sentence in which the
   * server wraps the webhook's message is the only sign (apiserver, {@code
   * admission/plugin/webhook/errors/statuserror.go}).
   */
  private static boolean refusedByAdmission(String message) {
    return message.startsWith("admission webhook \"") && message.contains("\" denied the request");
  }

  /**
   * What etcd, or the server's own client of it, says of an object that is too large comes under
   * 500 and without a reason (etcd, {@code api/v3rpc/rpctypes/error.go}; grpc-go, {@code
   * stream.go}).
   */
  private static boolean refusedByStorage(String message) {
    return message.contains("etcdserver: request is too large")
        || message.contains("trying to send message larger than max");
  }

  /**
   * Whether a 404 is about this very object (for a create: its namespace) and not about a missing
   * type, workspace or route.
   */
  private static boolean names(RequestTarget target, KubeObject status) {
    if (target.type() == null) {
      return false;
    }
    String missing = status.text("details", "name");
    String group = status.text("details", "group");
    if (target.name().isEmpty()) {
      return !target.namespace().isEmpty()
          && missing.equals(target.namespace())
          && status.text("details", "kind").equals("namespaces");
    }
    return missing.equals(target.name()) && group.equals(target.type().group());
  }

  private static KubeObject status(HttpTransport.Answer answer) {
    try {
      KubeObject document = KubeJson.readObject(answer.body());
      if (document.kind().equals("Status")) {
        return document;
      }
    } catch (MalformedJson _) {
      // not from an API server's own handlers
    }
    String said = answer.contentType().startsWith("text/plain") ? firstLine(answer.body()) : "";
    return KubeObject.of(Map.of("message", said.isEmpty() ? "without a Status" : said));
  }

  private static String firstLine(byte[] body) {
    int length = Math.min(body.length, PLAIN_TEXT_MAX);
    return new String(body, 0, length, StandardCharsets.UTF_8).lines().findFirst().orElse("");
  }

  private static String shortened(String message) {
    return message.length() <= MESSAGE_MAX ? message : message.substring(0, MESSAGE_MAX) + "…";
  }
}
