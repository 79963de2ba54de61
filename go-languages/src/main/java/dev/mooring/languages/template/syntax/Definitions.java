package dev.mooring.languages.template.syntax;

import dev.mooring.languages.InvalidTemplate;
import dev.mooring.languages.template.syntax.Node.Pipeline;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What {@code define} and {@code block} have named so far, and which names are used. */
final class Definitions {
  private final Map<String, List<Node>> byName = new HashMap<>();
  private final List<String> used = new ArrayList<>();

  /** An empty definition gives way to another one; throws {@link InvalidTemplate} for two more. */
  void add(String name, List<Node> nodes) {
    List<Node> present = byName.get(name);
    if (present == null || isEmpty(present)) {
      byName.put(name, List.copyOf(nodes));
    } else if (!isEmpty(nodes)) {
      throw new InvalidTemplate("the template \"" + name + "\" is defined twice");
    }
  }

  /**
   * @param pipeline null for none
   */
  Node call(String name, Pipeline pipeline) {
    used.add(name);
    return new Node.Template(name, pipeline);
  }

  /** Throws {@link InvalidTemplate} if a name is used that nothing has. */
  Node.Tree tree(List<Node> nodes) {
    for (String name : used) {
      if (!byName.containsKey(name)) {
        throw new InvalidTemplate("the template \"" + name + "\" is not defined");
      }
    }
    return new Node.Tree(nodes, byName);
  }

  private static boolean isEmpty(List<Node> nodes) {
    return nodes.stream().allMatch(node -> node instanceof Node.Text(var text) && text.isBlank());
  }
}
