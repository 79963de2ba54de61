package dev.mooring.runtime.spring;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Command lines as Go's {@code flag} package reads them ({@code -name value}, {@code --name=value})
 * to Spring's ({@code --property=value}). What is no flag of the table is Spring's and stays as it
 * is.
 */
public final class GoFlags {
  private GoFlags() {}

  /** What a flag means. */
  public sealed interface Flag {
    /**
     * Always has a value.
     *
     * @param properties {@code name=value} of each property that it sets; throws {@link
     *     IllegalArgumentException} for a value that it does not take
     */
    record Value(Function<String, List<String>> properties) implements Flag {
      public Value {
        Objects.requireNonNull(properties, "properties");
      }
    }

    /** Is there or not; a value needs an equals sign. It means nothing here. */
    record IgnoredSwitch() implements Flag {}
  }

  /** A flag that is another name of one property. */
  public static Flag property(String name) {
    return new Flag.Value(value -> List.of(name + "=" + value));
  }

  /** A flag whose value means nothing here. */
  public static Flag ignored() {
    return new Flag.Value(_ -> List.of());
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
      switch (flag) {
        case null -> translated.add(argument);
        case Flag.IgnoredSwitch() -> {}
        case Flag.Value(var properties) -> {
          if (equals < 0 && i + 1 == arguments.length) {
            throw new IllegalArgumentException("flag needs an argument: " + word);
          }
          String value = equals < 0 ? arguments[++i] : argument.substring(equals + 1);
          properties.apply(value).forEach(property -> translated.add("--" + property));
        }
      }
    }
    return translated.toArray(String[]::new);
  }
}
