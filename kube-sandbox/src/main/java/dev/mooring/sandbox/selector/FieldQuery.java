package dev.mooring.sandbox.selector;

import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** The text form of a field selector, as in {@code ?fieldSelector=}: {@code a=b,c!=d}. */
public final class FieldQuery implements Predicate<KubeObject> {
  private static final char ESCAPE = '\\';

  /** Selects everything. */
  public static final FieldQuery EVERYTHING = new FieldQuery(List.of());

  private final List<Term> terms;

  private record Term(String field, String[] path, boolean negated, String value) {
    boolean holds(KubeObject object) {
      Object found = object.at(path);
      String text = found == null ? "" : String.valueOf(found);
      return text.equals(value) != negated;
    }
  }

  private FieldQuery(List<Term> terms) {
    this.terms = terms;
  }

  /**
   * @param fields the paths of the fields that may be selected by, in addition to name and
   *     namespace
   * @param refusal what to say of any other
   * @throws IllegalArgumentException with Kubernetes' text
   */
  public static FieldQuery parse(
      String text, Map<String, List<String>> fields, UnaryOperator<String> refusal) {
    if (text.isEmpty()) {
      return EVERYTHING;
    }
    var terms = new ArrayList<Term>();
    for (String part : split(text)) {
      if (!part.isEmpty()) {
        terms.add(term(part, fields, refusal));
      }
    }
    return new FieldQuery(List.copyOf(terms));
  }

  /** What a server says of a field of most types. */
  public static String notSupported(String field) {
    return "field label not supported: " + field;
  }

  private static Term term(
      String part, Map<String, List<String>> fields, UnaryOperator<String> refusal) {
    int at = part.indexOf('=');
    if (at < 0) {
      throw new IllegalArgumentException(
          "invalid selector: '" + part + "'; can't understand '" + part + "'");
    }
    boolean negated = at > 0 && part.charAt(at - 1) == '!';
    int valueStart = part.startsWith("==", at) ? at + 2 : at + 1;
    String field = part.substring(0, negated ? at - 1 : at);
    return new Term(
        field, path(field, fields, refusal), negated, unescaped(part.substring(valueStart)));
  }

  /** At commas that no backslash precedes. */
  private static List<String> split(String text) {
    var parts = new ArrayList<String>();
    int start = 0;
    for (int at = 0; at < text.length(); at++) {
      if (text.charAt(at) == ESCAPE) {
        at++;
      } else if (text.charAt(at) == ',') {
        parts.add(text.substring(start, at));
        start = at + 1;
      }
    }
    parts.add(text.substring(start));
    return parts;
  }

  private static String unescaped(String value) {
    var plain = new StringBuilder();
    for (int at = 0; at < value.length(); at++) {
      char c = value.charAt(at);
      if (c == ESCAPE) {
        at++;
        String escaped = value.substring(at, Math.min(at + 1, value.length()));
        if (escaped.isEmpty() || "\\,=".indexOf(escaped) < 0) {
          throw new IllegalArgumentException(
              "invalid field selector: invalid escape sequence: " + ESCAPE + escaped);
        }
        plain.append(escaped);
      } else if (c == '=') {
        throw new IllegalArgumentException(
            "invalid field selector: unescaped character in value: " + (int) c);
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
  }

  private static String[] path(
      String field, Map<String, List<String>> fields, UnaryOperator<String> refusal) {
    return switch (field) {
      case "metadata.name" -> new String[] {"metadata", "name"};
      case "metadata.namespace" -> new String[] {"metadata", "namespace"};
      default -> {
        List<String> path = fields.get(field);
        if (path == null) {
          throw new IllegalArgumentException(refusal.apply(field));
        }
        yield path.toArray(String[]::new);
      }
    };
  }

  @Override
  public boolean test(KubeObject object) {
    for (Term term : terms) {
      if (!term.holds(object)) {
        return false;
      }
    }
    return true;
  }

  public boolean selectsEverything() {
    return terms.isEmpty();
  }

  /** The one name that can match, if the selector says so. */
  public Optional<String> exactName() {
    return exact("metadata.name");
  }

  /** The one namespace that can match, if the selector says so. */
  public Optional<String> exactNamespace() {
    return exact("metadata.namespace");
  }

  private Optional<String> exact(String field) {
    return terms.stream()
        .filter(term -> term.field().equals(field) && !term.negated())
        .map(Term::value)
        .findFirst();
  }
}
