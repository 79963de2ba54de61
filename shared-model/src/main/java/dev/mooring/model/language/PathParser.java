package dev.mooring.model.language;

import dev.mooring.model.language.PathStep.Separator;
import dev.mooring.model.language.PathStep.Wanted;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads the path syntax of gjson; what it leaves out (modifiers, multipaths) it refuses. */
final class PathParser {
  /** Paths and queries nested deeper or longer than this are mistakes. */
  private static final int STEPS_MAX = 128;

  private static final int DEPTH_MAX = 8;

  private static final Set<String> MODIFIERS =
      Set.of(
          "pretty", "ugly", "reverse", "this", "flatten", "join", "valid", "keys", "values",
          "tostr", "fromstr", "group", "dig");

  private final String text;
  private final int depth;
  private int at;

  private PathParser(String text, int depth) {
    this.text = text;
    this.depth = depth;
  }

  static List<PathStep> parse(String text) {
    if (text.isEmpty()) {
      throw new InvalidExpression("the path is empty");
    }
    if (text.startsWith("..")) {
      throw new InvalidExpression("\"..\" (JSON lines) is not supported in a path");
    }
    return new PathParser(text, 0).steps();
  }

  private List<PathStep> steps() {
    var steps = new ArrayList<PathStep>();
    Separator before = Separator.DOT;
    while (true) {
      if (steps.size() == STEPS_MAX) {
        throw new InvalidExpression("the path has more than " + STEPS_MAX + " components");
      }
      steps.add(step(before));
      if (at >= text.length()) {
        return steps;
      }
      before = text.charAt(at++) == '|' ? Separator.PIPE : Separator.DOT;
    }
  }

  private PathStep step(Separator before) {
    refuseOther();
    if (text.startsWith("#(", at) || text.startsWith("#[", at)) {
      return query(before);
    }
    var name = new StringBuilder();
    boolean wild = false;
    int start = at;
    while (at < text.length() && text.charAt(at) != '.' && text.charAt(at) != '|') {
      char here = text.charAt(at);
      if (here == '\\' && at + 1 < text.length()) {
        at++;
        here = text.charAt(at);
        if (here == '*' || here == '?') {
          name.append('\\');
        }
      } else if (here == '*' || here == '?') {
        wild = true;
      }
      name.append(here);
      at++;
    }
    if (text.substring(start, at).equals("#")) {
      return new PathStep.Every(before);
    }
    return wild
        ? new PathStep.Wildcard(before, name.toString())
        : new PathStep.Key(before, name.toString().replace("\\*", "*").replace("\\?", "?"));
  }

  private void refuseOther() {
    if (at >= text.length()) {
      return;
    }
    switch (text.charAt(at)) {
      case '@' -> {
        int end = at + 1;
        while (end < text.length() && ".|:".indexOf(text.charAt(end)) < 0) {
          end++;
        }
        String name = text.substring(at + 1, end);
        if (MODIFIERS.contains(name)) {
          throw new InvalidExpression(
              "modifiers are not supported in a path: \"@" + name + "\"; escape the @ of a key");
        }
      }
      case '[', '{' ->
          throw new InvalidExpression(
              "multipaths (components starting with [ or {) are not supported in a path");
      case '!' -> {
        if (at == 0) {
          throw new InvalidExpression("literals (!...) are not supported in a path");
        }
      }
      default -> {}
    }
  }

  private PathStep query(Separator before) {
    if (depth == DEPTH_MAX) {
      throw new InvalidExpression("queries are nested deeper than " + DEPTH_MAX);
    }
    int open = at + 2;
    int operator = -1;
    int nested = 1;
    int i = open;
    for (; i < text.length(); i++) {
      char here = text.charAt(i);
      if (nested == 1 && operator < 0 && "!=<>%".indexOf(here) >= 0) {
        operator = i;
      } else if (here == '\\') {
        i++;
      } else if (here == '[' || here == '(') {
        nested++;
      } else if (here == ']' || here == ')') {
        nested--;
        if (nested == 0) {
          break;
        }
      } else if (here == '"') {
        i = closingQuote(i);
      }
    }
    if (nested > 0) {
      throw new InvalidExpression("the query \"" + text.substring(at) + "\" is never closed");
    }
    String path = text.substring(open, operator < 0 ? i : operator).strip();
    String condition = operator < 0 ? "" : text.substring(operator, i).strip();
    at = i + 1;
    Wanted wanted = Wanted.FIRST;
    if (at < text.length() && text.charAt(at) == '#') {
      wanted = Wanted.ALL;
      at++;
    }
    if (at < text.length() && text.charAt(at) != '.' && text.charAt(at) != '|') {
      throw new InvalidExpression("unexpected \"" + text.substring(at) + "\" after a query");
    }
    String sign = sign(condition);
    String operand = unquoted(condition.substring(sign.length()).strip());
    List<PathStep> inner = path.isEmpty() ? List.of() : new PathParser(path, depth + 1).steps();
    return new PathStep.Query(before, inner, sign.equals("==") ? "=" : sign, operand, wanted);
  }

  private int closingQuote(int from) {
    for (int i = from + 1; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == '"') {
        return i;
      }
    }
    return text.length();
  }

  private static String sign(String condition) {
    for (String sign : new String[] {"!=", "!%", "<=", ">=", "==", "<", ">", "=", "%"}) {
      if (condition.startsWith(sign)) {
        return sign;
      }
    }
    if (!condition.isEmpty()) {
      throw new InvalidExpression("unknown comparison \"" + condition + "\" in a query");
    }
    return "";
  }

  private static String unquoted(String operand) {
    if (operand.length() < 2 || !operand.startsWith("\"") || !operand.endsWith("\"")) {
      return operand;
    }
    var plain = new StringBuilder();
    for (int i = 1; i < operand.length() - 1; i++) {
      char here = operand.charAt(i);
      if (here == '\\' && i + 1 < operand.length() - 1) {
        here = operand.charAt(++i);
        here =
            switch (here) {
              case 'n' -> '\n';
              case 't' -> '\t';
              case 'r' -> '\r';
              default -> here;
            };
      }
      plain.append(here);
    }
    return plain.toString();
  }
}
