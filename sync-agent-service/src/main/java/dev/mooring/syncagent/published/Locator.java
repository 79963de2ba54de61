package dev.mooring.syncagent.published;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.InvalidExpression;
import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.gjson.JsonPath;
import dev.mooring.languages.template.GoTemplate;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How the names (or namespaces) of related objects are found from the primary object. */
public sealed interface Locator {
  /** More values than this are a mistake; each costs an object. */
  int VALUES_MAX = 1000;

  /**
   * Values of the primary, asked for once per side with that side's primary, so that a mutated
   * field needs no memory.
   *
   * @param path which values: several where it leads to a list
   * @param rewrite of each value, on both sides
   */
  record Reference(JsonPath path, Optional<Rewrite> rewrite) implements Locator {

    /**
     * In the primary's order; an item that says nothing is empty text. No values at all while the
     * primary does not have the field.
     *
     * @throws TemplateFailure if what is there is not a name
     */
    public List<String> values(Side side, Primaries primaries) {
      List<?> items =
          switch (read(primaries.on(side))) {
            case JsonPath.Result.Missing _ -> List.of();
            case JsonPath.Result.Found(List<?> list, _) -> list;
            case JsonPath.Result.Found(var value, _) -> Collections.singletonList(value);
          };
      if (items.size() > VALUES_MAX) {
        throw new TemplateFailure(path + " has more than " + VALUES_MAX + " values");
      }
      var values = new ArrayList<String>(items.size());
      for (Object item : items) {
        String value = text(item);
        values.add(rewrite.map(r -> r.rewrite(value, primaries, Optional.empty())).orElse(value));
      }
      return values;
    }

    private JsonPath.Result read(KubeObject primary) {
      try {
        return path.read(primary.tree());
      } catch (ExpressionFailure e) {
        throw new TemplateFailure(path + ": " + e.getMessage());
      }
    }

    private String text(Object value) {
      return switch (value) {
        case Map<?, ?> _ -> throw new TemplateFailure(path + " is an object, not a name");
        case List<?> _ -> throw new TemplateFailure(path + " has lists in its list");
        case null, default -> JsonPath.text(value).strip();
      };
    }
  }

  /** A Go template, rendered once per side with that side's primary. */
  record Template(GoTemplate template) implements Locator {
    /** Fields that it can read. */
    static final Set<String> FIELDS = Set.of("Side", "Object", "ClusterName", "ClusterPath");

    /** Empty text while the primary does not say it; throws {@link TemplateFailure}. */
    public String render(Side side, Primaries primaries) {
      return template.render(
          Map.of(
              "Side", side.text(),
              "Object", primaries.on(side).tree(),
              "ClusterName", primaries.cluster().name(),
              "ClusterPath", primaries.path().orElse("")));
    }
  }

  /** Labels of the objects on the origin's side; the rewrite gives the names on the other. */
  record Selector(SelectorTemplate labels, Rewrite rewrite) implements Locator {}

  /** Throws {@link InvalidPublishedResource} naming {@code field}. */
  static Locator read(@Nullable Object tree, String field) {
    Object reference = Trees.at(tree, "reference");
    if (reference != null) {
      return reference(reference, field + ".reference");
    }
    Object selector = Trees.at(tree, "selector");
    if (selector != null) {
      return new Selector(
          SelectorTemplate.read(selector, field + ".selector"),
          Rewrite.read(Trees.at(selector, "rewrite"), field + ".selector.rewrite"));
    }
    if (Trees.at(tree, "template") != null) {
      String text = Trees.text(tree, "template", "template");
      return new Template(FieldValues.template(text, Template.FIELDS, field + ".template"));
    }
    throw InvalidPublishedResource.spec(
        field + ": one of reference, selector or template is needed");
  }

  private static Locator reference(Object tree, String field) {
    Object regex = Trees.at(tree, "regex");
    return new Reference(
        path(Trees.text(tree, "path"), field + ".path"),
        regex == null ? Optional.empty() : Optional.of(Rewrite.regex(regex, field + ".regex")));
  }

  private static JsonPath path(String text, String field) {
    if (text.isEmpty()) {
      throw InvalidPublishedResource.spec(field + " is missing");
    }
    try {
      return JsonPath.compile(text);
    } catch (InvalidExpression e) {
      throw InvalidPublishedResource.spec(field + ": " + e.getMessage());
    }
  }
}
