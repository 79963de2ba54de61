package dev.mooring.model.published.template;

import dev.mooring.model.published.Hashes;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Functions of templates: those of sprig that naming needs, and the agent's own hashes. Arguments
 * come in the order of the call; the piped value is last.
 */
enum TemplateFunction {
  SHA3SUM("sha3sum", 1, 1),
  SHA3SHORT("sha3short", 1, 2),
  SHORT_HASH("shortHash", 1, 1),
  SHA1SUM("sha1sum", 1, 1),
  DEFAULT("default", 1, 2),
  LOWER("lower", 1, 1),
  UPPER("upper", 1, 1),
  TRIM("trim", 1, 1),
  TRIM_PREFIX("trimPrefix", 2, 2),
  TRIM_SUFFIX("trimSuffix", 2, 2),
  REPLACE("replace", 3, 3),
  TRUNC("trunc", 2, 2),
  QUOTE("quote", 0, 16),
  SQUOTE("squote", 0, 16),
  TO_STRING("toString", 1, 1),
  PRINT("print", 0, 16),
  CAT("cat", 0, 16);

  private static final Map<String, TemplateFunction> BY_NAME =
      java.util.Arrays.stream(values()).collect(Collectors.toMap(f -> f.name, f -> f));

  private final String name;
  private final int least;
  private final int most;

  TemplateFunction(String name, int least, int most) {
    this.name = name;
    this.least = least;
    this.most = most;
  }

  /** Null if there is none. */
  static TemplateFunction named(String name) {
    return BY_NAME.get(name);
  }

  int least() {
    return least;
  }

  int most() {
    return most;
  }

  Object call(List<Object> arguments) {
    return switch (this) {
      case SHA3SUM -> Hashes.sha3(text(arguments, 0));
      case SHA3SHORT -> sha3short(arguments);
      case SHORT_HASH -> Hashes.sha1Short(text(arguments, 0));
      case SHA1SUM -> Hashes.sha1(text(arguments, 0));
      case DEFAULT -> defaulted(arguments);
      case LOWER -> text(arguments, 0).toLowerCase(Locale.ROOT);
      case UPPER -> text(arguments, 0).toUpperCase(Locale.ROOT);
      case TRIM -> text(arguments, 0).strip();
      case TRIM_PREFIX -> {
        String prefix = text(arguments, 0);
        String text = text(arguments, 1);
        yield text.startsWith(prefix) ? text.substring(prefix.length()) : text;
      }
      case TRIM_SUFFIX -> {
        String suffix = text(arguments, 0);
        String text = text(arguments, 1);
        yield text.endsWith(suffix) ? text.substring(0, text.length() - suffix.length()) : text;
      }
      case REPLACE -> text(arguments, 2).replace(text(arguments, 0), text(arguments, 1));
      case TRUNC -> trunc(number(arguments, 0), text(arguments, 1));
      case QUOTE -> joined(arguments, "\"");
      case SQUOTE -> joined(arguments, "'");
      case TO_STRING -> GoTemplate.print(arguments.getFirst());
      case PRINT -> arguments.stream().map(GoTemplate::print).collect(Collectors.joining());
      case CAT -> arguments.stream().map(GoTemplate::print).collect(Collectors.joining(" "));
    };
  }

  private Object sha3short(List<Object> arguments) {
    long length = arguments.size() == 1 ? Hashes.SHORT_LENGTH : number(arguments, 1);
    if (length <= 0) {
      throw new TemplateFailure("sha3short: invalid length " + length);
    }
    String hash = Hashes.sha3(text(arguments, 0));
    return hash.substring(0, (int) Math.min(length, hash.length()));
  }

  private static Object defaulted(List<Object> arguments) {
    Object given = arguments.size() == 2 ? arguments.get(1) : null;
    return GoTemplate.empty(given) ? arguments.getFirst() : given;
  }

  /** A negative length counts from the end. */
  private static String trunc(long length, String text) {
    if (length < 0 && text.length() + length > 0) {
      return text.substring((int) (text.length() + length));
    }
    return length >= 0 && text.length() > length ? text.substring(0, (int) length) : text;
  }

  private static String joined(List<Object> arguments, String quote) {
    return arguments.stream()
        .filter(argument -> argument != null)
        .map(argument -> quote + escaped(GoTemplate.print(argument), quote) + quote)
        .collect(Collectors.joining(" "));
  }

  private static String escaped(String text, String quote) {
    return quote.equals("\"") ? text.replace("\\", "\\\\").replace("\"", "\\\"") : text;
  }

  private String text(List<Object> arguments, int index) {
    return switch (arguments.get(index)) {
      case String text -> text;
      case null -> throw new TemplateFailure(name + ": the value is missing; expected a string");
      case Object other ->
          throw new TemplateFailure(
              name + ": expected a string, got " + GoTemplate.typeName(other));
    };
  }

  private long number(List<Object> arguments, int index) {
    if (arguments.get(index) instanceof Long number) {
      return number;
    }
    throw new TemplateFailure(
        name + ": expected a whole number, got " + GoTemplate.typeName(arguments.get(index)));
  }
}
