package dev.mooring.runtime.client.http;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An answer with its whole body.
 *
 * @param contentType empty if none was given
 * @param retryAfter null if the server asked for no delay
 */
record HttpAnswer(int code, String contentType, @Nullable Duration retryAfter, byte[] body) {
  boolean successful() {
    return code >= 200 && code < 300;
  }
}
