package dev.mooring.runtime.client;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A request that did not do what was asked, classified once, here. The message names the request's
 * method and URL and what the server said; it never quotes a body.
 */
public final class KubeFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Every authorizer's denial is worded so (apiserver, responsewriters/errors.go). */
  private static final Pattern DENIED_USER = Pattern.compile("orbidden: User \"([^\"]{1,253})\"");

  /** What a caller can do about it. */
  public enum Kind {
    /** This very object does not exist. */
    NOT_FOUND,
    /** The type (or the workspace) is not served here. */
    NOT_SERVED,
    ALREADY_EXISTS,
    /** A precondition failed: observe again. */
    CONFLICT,
    /** The server refuses the content: the same request cannot succeed. */
    INVALID,
    /** A missing permission, or an admission webhook's refusal. */
    FORBIDDEN,
    UNAUTHORIZED,
    /** The resource version is too old: list again. */
    GONE,
    /** Too large for the server. */
    TOO_LARGE,
    /**
     * Unreachable, overloaded, timed out, broken stream: try again later; a write may or may not
     * have happened.
     */
    UNAVAILABLE
  }

  private final Kind kind;
  private final int code;
  private final String reason;
  private final transient @Nullable Duration retryAfter;
  private transient @Nullable URI askedAt;

  /**
   * @param code HTTP status; 0 if there was no answer
   * @param reason of the server's Status; empty if it gave none
   * @param retryAfter null if the server asked for no delay
   */
  public KubeFailure(
      Kind kind,
      int code,
      String reason,
      String message,
      @Nullable Duration retryAfter,
      @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.code = code;
    this.reason = reason;
    this.retryAfter = retryAfter;
  }

  /** No answer, or none that can be relied on. */
  public static KubeFailure unavailable(String message, @Nullable Throwable cause) {
    return new KubeFailure(Kind.UNAVAILABLE, 0, "", message, null, cause);
  }

  /**
   * @param url of the client whose request it was
   */
  public KubeFailure askedAt(URI url) {
    askedAt = url;
    return this;
  }

  /** {@link KubeClient#url} of the client whose request it was; empty if that is not known. */
  public Optional<URI> askedAt() {
    return Optional.ofNullable(askedAt);
  }

  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }

  /** What the server said, without the request's URL; the reason if it said nothing. */
  public String said() {
    String message = getMessage();
    String answered = ": " + code + " ";
    int at = message.indexOf(answered);
    return at < 0 ? reason : message.substring(at + answered.length());
  }

  public Kind kind() {
    return kind;
  }

  /**
   * Whether the object, its type or its workspace does not exist, for all that this server says.
   */
  public boolean isAbsent() {
    return kind == Kind.NOT_FOUND || kind == Kind.NOT_SERVED;
  }

  /** Whether this user may not do this, or is not known. */
  public boolean isDenied() {
    return kind == Kind.FORBIDDEN || kind == Kind.UNAUTHORIZED;
  }

  /** Whether another writer was first: observe again. */
  public boolean isConflict() {
    return kind == Kind.CONFLICT || kind == Kind.ALREADY_EXISTS;
  }

  /**
   * Whether kcp says that this user may not do this. A request that is forbidden otherwise was
   * refused for its content, by admission.
   */
  public boolean isMissingRight() {
    return kind == Kind.FORBIDDEN && getMessage().contains("orbidden: User \"");
  }

  /** {@code user "<name>"}, as a denial names whose request it was; empty if none is named. */
  public Optional<String> deniedUser() {
    Matcher named = DENIED_USER.matcher(getMessage());
    return named.find() ? Optional.of("user \"" + named.group(1) + "\"") : Optional.empty();
  }

  public int code() {
    return code;
  }

  public String reason() {
    return reason;
  }

  /** Null if the server asked for no delay. */
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
