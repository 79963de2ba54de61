package dev.mooring.sandbox.selector;

import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text form of a field selector, as in {@code ?fieldSelector=}: {@code a=b,c!=d}. */
public final class FieldQuery implements Predicate<KubeObject> {
  public static final String NOT_SUPPORTED = "field label not supported: %s";

  /** A backslash escapes comma, equals sign and itself in a value. */
  private static final Pattern TERM =
      Pattern.compile("([^=!,]+)(!=|==?)([^\\\\,=]*+(?:\\\\[\\\\,=][^\\\\,=]*+)*+)(?:,+|$)");

  private static final Map<String, List<String>> METADATA =
      Map.of(
          "metadata.name", List.of("metadata", "name"),
          "metadata.namespace", List.of("metadata", "namespace"));

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
   * @param refusal what to say of another field, such as {@link #NOT_SUPPORTED}
   * @throws IllegalArgumentException for a malformed text or another field
   */
  public static FieldQuery parse(String text, Map<String, List<String>> fields, String refusal) {
    var terms = new ArrayList<Term>();
    Matcher term = TERM.matcher(text);
    while (term.regionStart() < text.length()) {
      if (!term.lookingAt()) {
        throw new IllegalArgumentException("invalid field selector: '" + text + "'");
      }
      String field = term.group(1);
      List<String> path = METADATA.getOrDefault(field, fields.get(field));
      if (path == null) {
        throw new IllegalArgumentException(refusal.formatted(field));
      }
      terms.add(
          new Term(
              field,
              path.toArray(String[]::new),
              term.group(2).equals("!="),
              term.group(3).replaceAll("\\\\(.)", "$1")));
      term.region(term.end(), text.length());
    }
    return new FieldQuery(List.copyOf(terms));
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
