package dev.mooring.languages.template;

import dev.mooring.languages.FieldStep;
import dev.mooring.languages.InvalidTemplate;
import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.template.syntax.Node;
import dev.mooring.languages.template.syntax.Parser;
import dev.mooring.languages.template.text.Texts;
import dev.mooring.languages.template.value.GjsonValue;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A compiled template of Go's text/template: text with actions, pipelines, variables, {@code if},
 * {@code with}, {@code range}, and sprig's deterministic functions except {@code sha3sum}, {@code
 * sha3short} and {@code shortHash}. Results are those of Go; what has no stable order there (keys
 * of maps) is sorted. Time, memory and output of a rendering are bounded. Immutable, thread-safe.
 */
public final class GoTemplate {
  /** Longer templates are mistakes: what is rendered are names and values of fields. */
  public static final int LENGTH_MAX = 16 * 1024;

  /** Characters of a rendering; no field of an object holds more. */
  public static final int OUTPUT_MAX = 1024 * 1024;

  private final String source;
  private final Node.Tree tree;

  /** Fields of the root. */
  private final Set<String> roots;

  private GoTemplate(String source, Node.Tree tree, Set<String> roots) {
    this.source = source;
    this.tree = tree;
    this.roots = Set.copyOf(roots);
  }

  /**
   * Throws {@link InvalidTemplate} for bad syntax, unknown functions, wrong numbers of arguments,
   * and fields of the root that are not among {@code roots}.
   */
  public static GoTemplate compile(String source, Set<String> roots) {
    if (source.length() > LENGTH_MAX) {
      throw new InvalidTemplate("longer than " + LENGTH_MAX + " characters");
    }
    return new GoTemplate(source, Parser.parse(source, roots), roots);
  }

  /**
   * The text with surrounding whitespace removed; throws {@link TemplateFailure}.
   *
   * @param values frozen trees, or what {@link GjsonValue} makes of them
   */
  public String render(Map<String, ?> values) {
    return Texts.trim(new Renderer(tree.definitions(), values, roots).render(tree.nodes()));
  }

  /**
   * The fields that the template names, each from the root and with the fields around it, also
   * those in branches. What it computes is not followed.
   */
  public Set<List<FieldStep>> fields() {
    return TemplateFields.of(tree);
  }

  /** The template's own text. */
  @Override
  public String toString() {
    return source;
  }
}
