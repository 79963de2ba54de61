package dev.mooring.runtime.client.http;

import java.net.URI;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.regex.Pattern;

/** How many requests a connection has made, by method and outcome; watches aside. Thread-safe. */
public final class RequestCounters {
  private final AtomicLongArray counts =
      new AtomicLongArray(Method.values().length * Outcome.values().length);

  /** Of HTTP; reviews apart, so that the others but GET are writes. */
  public enum Method {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE,
    /** A POST that asks the server about users, tokens and permissions, and stores nothing. */
    REVIEW;

    private static final Pattern REVIEWS =
        Pattern.compile(".*/apis/(authentication|authorization)\\.k8s\\.io/[^/]+/[a-z]+reviews");

    static Method of(String method, URI url) {
      return method.equals("POST") && REVIEWS.matcher(url.getPath()).matches()
          ? REVIEW
          : valueOf(method);
    }
  }

  /** How a request ended. */
  public enum Outcome {
    /** A status below 400. */
    SUCCESS,
    /** 409: something else was faster, or the name is taken. */
    CONFLICT,
    /** Any other status from 400 to 499. */
    REFUSED,
    /** A status of 500 or above, or no answer. */
    UNAVAILABLE;

    static Outcome of(int code) {
      if (code < 400) {
        return SUCCESS;
      }
      if (code == 409) {
        return CONFLICT;
      }
      return code < 500 ? REFUSED : UNAVAILABLE;
    }
  }

  /** Since the connection was made. */
  public long count(Method method, Outcome outcome) {
    return counts.get(index(method, outcome));
  }

  void add(Method method, Outcome outcome) {
    counts.incrementAndGet(index(method, outcome));
  }

  private static int index(Method method, Outcome outcome) {
    return method.ordinal() * Outcome.values().length + outcome.ordinal();
  }
}
