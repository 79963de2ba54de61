package dev.mooring.sandbox.api.validation;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Kubernetes' rules for names, with its texts ({@code apimachinery/pkg/util/validation}). */
public final class NameRules {
  private static final String LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
  private static final Pattern LABEL_PATTERN = Pattern.compile(LABEL);
  private static final Pattern SUBDOMAIN_PATTERN = Pattern.compile(LABEL + "(\\." + LABEL + ")*");
  private static final String LABEL_1035 = "[a-z]([-a-z0-9]*[a-z0-9])?";
  private static final Pattern LABEL_1035_PATTERN = Pattern.compile(LABEL_1035);
  private static final String QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
  private static final Pattern QUALIFIED_PATTERN = Pattern.compile(QUALIFIED);
  private static final Pattern LABEL_VALUE_PATTERN = Pattern.compile("(" + QUALIFIED + ")?");

  private static final String QUALIFIED_RULE =
      "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an"
          + " alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for"
          + " validation is '"
          + QUALIFIED
          + "')";

  private NameRules() {}

  /** RFC 1123 subdomain; at most 253 characters. */
  public static List<String> subdomain(String name) {
    return complaints(
        name,
        253,
        SUBDOMAIN_PATTERN,
        ("a lowercase RFC 1123 subdomain must consist of lower case alphanumeric"
                + " characters, '-' or '.', and must start and end with an alphanumeric character"
                + " (e.g. 'example.com', regex used for validation is '%s(\\.%s)*')")
            .formatted(LABEL, LABEL));
  }

  /** RFC 1123 label; at most 63 characters. */
  public static List<String> label(String name) {
    return complaints(
        name,
        63,
        LABEL_PATTERN,
        SUBDOMAIN_PATTERN.matcher(name).matches()
            ? "must not contain dots"
            : "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or"
                + " '-', and must start and end with an alphanumeric character (e.g. 'my-name', "
                + " or '123-abc', regex used for validation is '"
                + LABEL
                + "')");
  }

  /** RFC 1035 label; at most 63 characters. */
  public static List<String> dns1035Label(String name) {
    return complaints(
        name,
        63,
        LABEL_1035_PATTERN,
        "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an"
            + " alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or"
            + " 'abc-123', regex used for validation is '"
            + LABEL_1035
            + "')");
  }

  private static List<String> complaints(
      String name, int lengthMax, Pattern pattern, String complaint) {
    var complaints = new ArrayList<String>();
    if (name.length() > lengthMax) {
      complaints.add("must be no more than " + lengthMax + " characters");
    }
    if (!pattern.matcher(name).matches()) {
      complaints.add(complaint);
    }
    return complaints;
  }

  /** Everything that fits into one path segment: names of RBAC objects. */
  public static List<String> pathSegment(String name) {
    if (name.equals(".") || name.equals("..")) {
      return List.of("may not be '" + name + "'");
    }
    return Stream.of("/", "%")
        .filter(name::contains)
        .map(bad -> "may not contain '" + bad + "'")
        .toList();
  }

  /** A label key, an annotation key or a finalizer: an optional prefix and a name. */
  public static List<String> qualifiedName(String key) {
    int slash = key.indexOf('/');
    String name = key.substring(slash + 1);
    if (name.length() != key.length() && name.indexOf('/') >= 0) {
      return List.of(
          "a valid label key "
              + QUALIFIED_RULE
              + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    }
    var complaints = new ArrayList<String>();
    if (slash == 0) {
      complaints.add("prefix part must be non-empty");
    } else if (slash > 0) {
      subdomain(key.substring(0, slash)).forEach(text -> complaints.add("prefix part " + text));
    }
    if (name.isEmpty()) {
      complaints.add("name part must be non-empty");
    }
    bytes(complaints(name, 63, QUALIFIED_PATTERN, QUALIFIED_RULE))
        .forEach(text -> complaints.add("name part " + text));
    return complaints;
  }

  /** As newer parts of Kubernetes word it. */
  private static List<String> bytes(List<String> complaints) {
    return complaints.stream()
        .map(
            text -> text.startsWith("must be no more") ? text.replace("characters", "bytes") : text)
        .toList();
  }

  public static List<String> labelValue(String value) {
    return bytes(
        complaints(
            value,
            63,
            LABEL_VALUE_PATTERN,
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or"
                + " '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or"
                + " 'my_value',  or '12345', regex used for validation is '("
                + QUALIFIED
                + ")?')"));
  }
}
