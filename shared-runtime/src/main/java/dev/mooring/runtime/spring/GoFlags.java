package dev.mooring.runtime.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Translates the flags of Go programs ({@code -name value}, {@code --name=value}) to Spring's
 * options ({@code --property=value}). Arguments that are no known flag stay as they are.
 */
public final class GoFlags {
  /** Go's strconv.ParseBool. */
  private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");

  private static final Set<String> FALSE = Set.of("0", "f", "F", "false", "FALSE", "False");

  private GoFlags() {}

  /** What a flag means. */
  public sealed interface Flag {
    /**
     * Always has a value.
     *
     * @param properties {@code name=value} of each property that it sets; throws {@link
     *     IllegalArgumentException} for a value that it does not take
     */
    record Value(Function<String, List<String>> properties) implements Flag {}

    /** Means true without a value. */
    record Switch(Function<Boolean, List<String>> properties) implements Flag {}
  }

  /** A flag that is another name of one property. */
  public static Flag property(String name) {
    return new Flag.Value(value -> List.of(name + "=" + value));
  }

  /** A flag whose value means nothing here. */
  public static Flag ignored() {
    return new Flag.Value(_ -> List.of());
  }

  public static Flag ignoredSwitch() {
    return new Flag.Switch(_ -> List.of());
  }

  /**
   * A flag such as {@code :8081} or {@code 127.0.0.1:8081} for where one of Spring's servers
   * listens. {@code 0}, by which Go programs switch such a server off, leaves it where it is by
   * default: it serves more than theirs.
   *
   * @param server what its properties begin with: {@code server} or {@code management.server}
   */
  public static Flag address(String server) {
    return new Flag.Value(address -> {
      if (address.equals("0")) {
        return List.of();
      }
      int colon = address.lastIndexOf(':');
      if (colon < 0 || !address.substring(colon + 1).matches("[0-9]{1,5}")) {
        throw new IllegalArgumentException(
            "\"" + address + "\" is not an address like :8081 or 127.0.0.1:8081");
      }
      String host = address.substring(0, colon).replaceAll("[\\[\\]]", "");
      String port = server + ".port=" + address.substring(colon + 1);
      return host.isEmpty() ? List.of(port) : List.of(port, server + ".address=" + host);
    });
  }

  /**
   * @throws IllegalArgumentException naming a flag that lacks its value or has a wrong one
   */
  public static String[] toSpring(Map<String, Flag> flags, String... arguments) {
    var translated = new ArrayList<String>();
    for (int i = 0; i < arguments.length; i++) {
      String argument = arguments[i];
      int equals = argument.indexOf('=');
      String word = equals < 0 ? argument : argument.substring(0, equals);
      Flag flag = word.startsWith("-") ? flags.get(word.replaceFirst("^--?", "")) : null;
      if (flag == null) {
        translated.add(argument);
        continue;
      }
      boolean isLast = i + 1 == arguments.length;
      String value;
      if (equals >= 0) {
        value = argument.substring(equals + 1);
      } else if (flag instanceof Flag.Switch) {
        value = !isLast && isBoolean(arguments[i + 1]) ? arguments[++i] : "true";
      } else if (isLast) {
        throw new IllegalArgumentException("flag needs an argument: " + word);
      } else {
        value = arguments[++i];
      }
      List<String> properties =
          switch (flag) {
            case Flag.Value(var of) -> of.apply(value);
            case Flag.Switch(var of) -> of.apply(isTrue(word, value));
          };
      properties.forEach(property -> translated.add("--" + property));
    }
    return translated.toArray(String[]::new);
  }

  private static boolean isBoolean(String text) {
    return TRUE.contains(text) || FALSE.contains(text);
  }

  private static boolean isTrue(String word, String value) {
    if (!isBoolean(value)) {
      throw new IllegalArgumentException(
          "invalid argument \"" + value + "\" for " + word + ": say true or false");
    }
    return TRUE.contains(value);
  }
}
