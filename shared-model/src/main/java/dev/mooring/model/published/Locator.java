package dev.mooring.model.published;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.model.published.template.GoTemplate;
import dev.mooring.model.published.template.InvalidTemplate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * How the name (or namespace) of a related object is found from the primary object. Asked once per
 * side, with that side's primary, so that a mutated field needs no memory.
 */
public sealed interface Locator {
  /** Fields that a template can read. */
  Set<String> FIELDS = Set.of("Side", "Object", "ClusterName", "ClusterPath");

  /** Which primary is looked at. */
  enum Side {
    KCP("kcp"),
    SERVICE("service");

    private final String text;

    Side(String text) {
      this.text = text;
    }
  }

  /**
   * The name; empty while the primary does not say it (yet).
   *
   * @throws dev.mooring.model.published.template.TemplateFailure if what is there is not a name
   */
  Optional<String> locate(
      Side side, KubeObject primary, LogicalCluster cluster, Optional<String> path);

  /**
   * A value of the primary.
   *
   * @param steps map keys and list indexes
   * @param replacement what stands for the value, whatever it is; a pattern has no part in it
   */
  record Reference(List<String> steps, Optional<String> replacement) implements Locator {
    public Reference {
      steps = List.copyOf(steps);
    }

    @Override
    public Optional<String> locate(
        Side side, KubeObject primary, LogicalCluster cluster, Optional<String> path) {
      Object here = primary.tree();
      for (String step : steps) {
        here = step(here, step);
      }
      return switch (here) {
        case null -> Optional.empty();
        case String text when text.isEmpty() -> Optional.empty();
        case String text -> Optional.of(replacement.orElse(text));
        case Long number -> Optional.of(replacement.orElse(number.toString()));
        default ->
            throw new dev.mooring.model.published.template.TemplateFailure(
                String.join(".", steps) + " is not a string");
      };
    }

    private static Object step(Object here, String step) {
      return switch (here) {
        case Map<?, ?> map -> map.get(step);
        case List<?> list when step.matches("\\d{1,6}") -> {
          int index = Integer.parseInt(step);
          yield index < list.size() ? list.get(index) : null;
        }
        case null, default -> null;
      };
    }
  }

  /** A Go template over {@link #FIELDS}; rendered once per side. */
  record Template(GoTemplate template) implements Locator {
    public Template {
      Objects.requireNonNull(template, "template");
    }

    @Override
    public Optional<String> locate(
        Side side, KubeObject primary, LogicalCluster cluster, Optional<String> path) {
      String text =
          template.render(
              Map.of(
                  "Side", side.text,
                  "Object", primary.tree(),
                  "ClusterName", cluster.name(),
                  "ClusterPath", path.orElse("")));
      return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }
  }

  /** Throws {@link InvalidPublishedResource} naming {@code field}. */
  static Locator read(Object tree, String field) {
    Object reference = Trees.at(tree, "reference");
    if (reference != null) {
      return reference(reference, field + ".reference");
    }
    if (Trees.at(tree, "selector") != null) {
      throw new InvalidPublishedResource(
          InvalidPublishedResource.Reason.NOT_SUPPORTED,
          field + ".selector is not supported yet; use reference or template");
    }
    if (Trees.at(tree, "template") != null) {
      String text = Trees.textOrEmpty(Trees.at(tree, "template", "template"));
      try {
        return new Template(GoTemplate.compile(text, FIELDS));
      } catch (InvalidTemplate e) {
        throw new InvalidPublishedResource(
            InvalidPublishedResource.Reason.INVALID_TEMPLATE,
            field + ".template: " + e.getMessage());
      }
    }
    throw new InvalidPublishedResource(
        InvalidPublishedResource.Reason.INVALID_SPEC,
        field + ": one of reference, selector or template is needed");
  }

  private static Locator reference(Object tree, String field) {
    String path = Trees.textOrEmpty(Trees.at(tree, "path"));
    if (path.isEmpty()) {
      throw new InvalidPublishedResource(
          InvalidPublishedResource.Reason.INVALID_SPEC, field + ".path is missing");
    }
    Object regex = Trees.at(tree, "regex");
    if (regex != null && !Trees.textOrEmpty(Trees.at(regex, "pattern")).isEmpty()) {
      throw new InvalidPublishedResource(
          InvalidPublishedResource.Reason.NOT_SUPPORTED,
          field + ".regex.pattern is not supported yet; leave it empty to inject the replacement");
    }
    if (path.contains("#") || path.contains("|") || path.contains("@")) {
      throw new InvalidPublishedResource(
          InvalidPublishedResource.Reason.NOT_SUPPORTED,
          field + ".path: only field names and list indexes are supported yet");
    }
    return new Reference(
        steps(path),
        regex == null
            ? Optional.empty()
            : Optional.of(Trees.textOrEmpty(Trees.at(regex, "replacement"))));
  }

  /** Cut at dots; a backslash makes a dot part of a name. */
  private static List<String> steps(String path) {
    var steps = new ArrayList<String>();
    var step = new StringBuilder();
    for (int i = 0; i < path.length(); i++) {
      char here = path.charAt(i);
      if (here == '\\' && i + 1 < path.length()) {
        step.append(path.charAt(++i));
      } else if (here == '.') {
        steps.add(step.toString());
        step.setLength(0);
      } else {
        step.append(here);
      }
    }
    steps.add(step.toString());
    return steps;
  }
}
