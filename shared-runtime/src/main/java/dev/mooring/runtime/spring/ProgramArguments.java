package dev.mooring.runtime.spring;

import dev.mooring.runtime.spring.GoFlags.Flag;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The arguments of a service's {@code main}. */
public final class ProgramArguments {
  /** Go's flag packages end the process with it. */
  private static final int USAGE_ERROR = 2;

  private static final Set<String> HELP = Set.of("--help", "-help", "-h");

  private ProgramArguments() {}

  /**
   * For Spring. Ends the process after the usage if that is asked for, and after one line about an
   * argument that cannot be used.
   *
   * @param prefix of the service's properties, such as {@code mooring.dependency-webhook}
   */
  public static String[] read(
      String program, String prefix, Map<String, Flag> flags, String... arguments) {
    try {
      String[] options = GoFlags.toSpring(flags, arguments);
      if (List.of(options).stream().anyMatch(HELP::contains)) {
        System.out.print(usage(program, prefix, flags.keySet()));
        System.exit(0);
      }
      List.of(options).forEach(ProgramArguments::propertyOf);
      return options;
    } catch (IllegalArgumentException e) {
      System.err.println(program + ": " + e.getMessage());
      System.exit(USAGE_ERROR);
      throw e;
    }
  }

  /**
   * The property that an option sets, such as {@code server.port} for {@code --server.port=8080}.
   * Throws {@link IllegalArgumentException} for an argument that is no property.
   */
  public static String propertyOf(String option) {
    if (!option.startsWith("--") || option.length() == 2) {
      throw new IllegalArgumentException(
          "unexpected argument \"" + option + "\": flags are written --name=value");
    }
    String name = option.substring(2, option.contains("=") ? option.indexOf('=') : option.length());
    if (!name.contains(".")) {
      throw new IllegalArgumentException(
          "unknown flag: --" + name + " (--help lists those that there are)");
    }
    return name;
  }

  /**
   * What {@code --help} prints: the flags, and the service's properties with their meanings.
   *
   * @param prefix as for {@link #read}
   */
  public static String usage(String program, String prefix, Set<String> flags) {
    return """
    Usage: %s [flags] [properties]

    Flags of the Go program: --%s

    Properties, written --name=value; also the properties of Spring Boot, such as --server.port:
    %s\
    """
        .formatted(
            program,
            String.join(", --", new TreeSet<>(flags)),
            DocumentedProperties.of(ProgramArguments.class.getClassLoader()).entrySet().stream()
                .filter(property -> property.getKey().startsWith(prefix + "."))
                .map(property ->
                    "  --%s%n      %s%n".formatted(property.getKey(), property.getValue()))
                .collect(Collectors.joining()));
  }
}
