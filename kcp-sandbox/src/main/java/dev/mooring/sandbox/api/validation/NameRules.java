package dev.mooring.sandbox.api.validation;

import java.util.List;
import java.util.regex.Pattern;

/** Kubernetes' rules for names, with its texts ({@code apimachinery/pkg/util/validation}). */
public final class NameRules {
  private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final Pattern LABEL_PATTERN = Pattern.compile(LABEL);
  private static final Pattern SUBDOMAIN_PATTERN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
  private static final String QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
  private static final Pattern QUALIFIED_PATTERN = Pattern.compile(QUALIFIED);
  private static final Pattern LABEL_VALUE_PATTERN = Pattern.compile("(" + QUALIFIED + ")?");

  private NameRules() {}

  /** RFC 1123 subdomain; at most 253 characters. */
  public static List<String> subdomain(String name) {
    if (name.length() > 253) {
      return List.of("must be no more than 253 characters");
    }
    if (SUBDOMAIN_PATTERN.matcher(name).matches()) {
      return List.of();
    }
    return List.of(
        ("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric"
                + " characters, '-' or '.', and must start and end with an alphanumeric character"
                + " (e.g. 'example.com', regex used for validation is '%s(\\.%s)*')")
            .formatted(LABEL, LABEL));
  }

  /** RFC 1123 label; at most 63 characters. */
  public static List<String> label(String name) {
    if (name.length() > 63) {
      return List.of("must be no more than 63 characters");
    }
    if (LABEL_PATTERN.matcher(name).matches()) {
      return List.of();
    }
    if (SUBDOMAIN_PATTERN.matcher(name).matches()) {
      return List.of("must not contain dots");
    }
    return List.of(
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and"
            + " must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc',"
            + " regex used for validation is '"
            + LABEL
            + "')");
  }

  /** Everything that fits into one path segment: names of RBAC objects. */
  public static List<String> pathSegment(String name) {
    if (name.equals(".") || name.equals("..")) {
      return List.of("may not be '" + name + "'");
    }
    for (String bad : List.of("/", "%")) {
      if (name.contains(bad)) {
        return List.of("may not contain '" + bad + "'");
      }
    }
    return List.of();
  }

  /** A label key, an annotation key or a finalizer: an optional prefix and a name. */
  public static List<String> qualifiedName(String key) {
    int slash = key.indexOf('/');
    String name = key.substring(slash + 1);
    if (slash >= 0) {
      String prefix = key.substring(0, slash);
      if (prefix.isEmpty()) {
        return List.of("prefix part must be non-empty");
      }
      List<String> wrong = subdomain(prefix);
      if (!wrong.isEmpty()) {
        return wrong.stream().map(text -> "prefix part " + text).toList();
      }
    }
    if (name.isEmpty()) {
      return List.of("name part must be non-empty");
    }
    if (name.length() > 63) {
      return List.of("name part must be no more than 63 characters");
    }
    if (QUALIFIED_PATTERN.matcher(name).matches()) {
      return List.of();
    }
    return List.of(
        "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and"
            + " end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc',"
            + " regex used for validation is '"
            + QUALIFIED
            + "')");
  }

  public static List<String> labelValue(String value) {
    if (value.length() > 63) {
      return List.of("must be no more than 63 characters");
    }
    if (LABEL_VALUE_PATTERN.matcher(value).matches()) {
      return List.of();
    }
    return List.of(
        "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or"
            + " '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or"
            + " 'my_value',  or '12345', regex used for validation is '("
            + QUALIFIED
            + ")?')");
  }
}
