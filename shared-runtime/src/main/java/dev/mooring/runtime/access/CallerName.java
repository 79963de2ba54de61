package dev.mooring.runtime.access;

import dev.mooring.runtime.client.KubeFailure;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The name by which a server knows the user of a request that it refused. */
public final class CallerName {
  private static final Pattern NAMED = Pattern.compile("orbidden: User \"([^\"]{1,253})\"");

  private CallerName() {}

  /** Such as {@code user "mooring:dependency-webhook"}; empty if the refusal names none. */
  public static Optional<String> in(KubeFailure refusal) {
    Matcher named = NAMED.matcher(refusal.getMessage());
    return named.find() ? Optional.of("user \"" + named.group(1) + "\"") : Optional.empty();
  }
}
