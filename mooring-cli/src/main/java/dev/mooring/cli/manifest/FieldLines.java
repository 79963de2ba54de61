package dev.mooring.cli.manifest;

import java.io.StringReader;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Lines of an object's fields in its file, counted from 1. */
public final class FieldLines {
  private static final Pattern STEP = Pattern.compile("[^.\\[\\]]+");

  /** Of an object that is in no file: all fields are in line 1. */
  static final FieldLines NONE = new FieldLines(new Yaml().compose(new StringReader("{}")));

  private final Node root;

  FieldLines(Node root) {
    this.root = root;
  }

  /**
   * Line of the field, or of the innermost parent that exists.
   *
   * @param path such as {@code spec.related[0].identifier}
   */
  public int of(String path) {
    Node here = root;
    int line = lineOf(root);
    for (MatchResult step : STEP.matcher(path).results().toList()) {
      switch (here) {
        case MappingNode mapping -> {
          NodeTuple field = field(mapping, step.group());
          if (field == null) {
            return line;
          }
          line = lineOf(field.getKeyNode());
          here = field.getValueNode();
        }
        case SequenceNode list
            when step.group().matches("\\d{1,6}")
                && Integer.parseInt(step.group()) < list.getValue().size() -> {
          here = list.getValue().get(Integer.parseInt(step.group()));
          line = lineOf(here);
        }
        default -> {
          return line;
        }
      }
    }
    return line;
  }

  static @Nullable NodeTuple field(MappingNode mapping, String name) {
    return mapping.getValue().stream()
        .filter(
            field -> field.getKeyNode() instanceof ScalarNode key && key.getValue().equals(name))
        .findFirst()
        .orElse(null);
  }

  private static int lineOf(Node node) {
    return node.getStartMark().getLine() + 1;
  }
}
