package dev.mooring.syncagent.published;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.InvalidExpression;
import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.regex.GoRegex;
import dev.mooring.languages.template.GoTemplate;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.HashMap;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How a name on the origin's side becomes the name on the other side. */
@FunctionalInterface
public interface Rewrite {
  /** Fields that a template can read. */
  Set<String> FIELDS =
      Set.of("Value", "RelatedObject", "LocalObject", "RemoteObject", "ClusterName", "ClusterPath");

  /**
   * @param value the name on the origin's side
   * @param related the object that has it; empty where it is a Namespace
   * @throws TemplateFailure if it cannot work on these objects
   */
  String rewrite(String value, Primaries primaries, Optional<KubeObject> related);

  /** Throws {@link InvalidPublishedResource} naming {@code field}. */
  static Rewrite read(@Nullable Object tree, String field) {
    Object regex = Trees.at(tree, "regex");
    if (regex != null) {
      return regex(regex, field + ".regex");
    }
    if (Trees.at(tree, "template") == null) {
      throw InvalidPublishedResource.spec(field + ": one of regex or template is needed");
    }
    GoTemplate template =
        FieldValues.template(Trees.text(tree, "template", "template"), FIELDS, field + ".template");
    return (value, primaries, related) -> {
      var values = new HashMap<String, Object>(primaries.clusterFields());
      values.putAll(primaries.bothObjects());
      values.put("Value", value);
      related.ifPresent(object -> values.put("RelatedObject", object.tree()));
      return template.render(values);
    };
  }

  /**
   * Every match of an RE2 pattern replaced; {@code $1} and {@code ${name}} mean groups. Without a
   * pattern the replacement is the value. Throws {@link InvalidPublishedResource} naming {@code
   * field}.
   */
  static Rewrite regex(Object tree, String field) {
    String pattern = Trees.text(tree, "pattern");
    String replacement = Trees.text(tree, "replacement");
    if (pattern.isEmpty()) {
      return (_, _, _) -> replacement;
    }
    GoRegex regex;
    try {
      regex = GoRegex.compile(pattern);
    } catch (InvalidExpression e) {
      throw InvalidPublishedResource.spec(field + ".pattern: " + e.getMessage());
    }
    return (value, _, _) -> {
      try {
        return regex.replaceAll(value, replacement);
      } catch (ExpressionFailure e) {
        throw new TemplateFailure(e.getMessage());
      }
    };
  }
}
