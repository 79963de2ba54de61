package dev.mooring.languages.gjson;

import dev.mooring.languages.InvalidExpression;
import dev.mooring.languages.gjson.PathStep.Selection;
import dev.mooring.languages.gjson.PathStep.Separator;
import dev.mooring.languages.gjson.PathStep.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads the path syntax of gjson. */
final class PathParser {
  /** Paths and queries nested deeper or longer than this are mistakes. */
  private static final int STEPS_MAX = 128;

  private static final int DEPTH_MAX = 8;

  private static final Set<String> WORDS = Set.of("true", "false", "null", "nan", "inf");

  private final String text;
  private final int depth;
  private int at;

  /** Whether what comes is read as a path of its own is. */
  private boolean head = true;

  private PathParser(String text, int depth) {
    this.text = text;
    this.depth = depth;
  }

  static List<PathStep> parse(String text) {
    if (text.isEmpty()) {
      throw new InvalidExpression("the path is empty");
    }
    return new PathParser(text, 0).steps();
  }

  /** A path in this one. */
  List<PathStep> inner(String path) {
    if (depth == DEPTH_MAX) {
      throw new InvalidExpression("paths are nested deeper than " + DEPTH_MAX);
    }
    return new PathParser(path, depth + 1).steps();
  }

  private List<PathStep> steps() {
    var steps = new ArrayList<PathStep>();
    Separator before = Separator.DOT;
    while (true) {
      if (steps.size() == STEPS_MAX) {
        throw new InvalidExpression("the path has more than " + STEPS_MAX + " components");
      }
      PathStep step = step(before);
      steps.add(step);
      if (step instanceof PathStep.Lines) {
        head = false;
        continue;
      }
      if (at >= text.length()) {
        return steps;
      }
      before = text.charAt(at++) == '|' ? Separator.PIPE : Separator.DOT;
      head =
          before == Separator.PIPE
              || step.isComputing()
              || step instanceof PathStep.Every
              || step instanceof PathStep.Query;
    }
  }

  private PathStep step(Separator before) {
    int left = text.length() - at;
    if (left > 1) {
      PathStep computing =
          switch (text.charAt(at)) {
            case '@' -> modifier(before);
            case '[', '{' -> multipath(before);
            case '!' -> head ? literal(before) : null;
            default -> null;
          };
      if (computing != null) {
        return computing;
      }
      if (head && text.startsWith("..", at)) {
        at += 2;
        return new PathStep.Lines(before);
      }
    }
    return text.startsWith("#(", at) || text.startsWith("#[", at) ? query(before) : name(before);
  }

  private PathStep name(Separator before) {
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

  /** Null if there is no modifier of this name: then it is a field's. */
  private PathStep modifier(Separator before) {
    int end = at + 1;
    while (end < text.length() && ".|:".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    String name = text.substring(at + 1, end);
    if (!PathModifier.NAMES.contains(name)) {
      return null;
    }
    String argument = "";
    if (text.startsWith(":", end) && end + 1 < text.length()) {
      int start = end + 1;
      end = argumentEnd(start);
      argument = text.substring(start, end);
    } else if (text.startsWith(":", end)) {
      end++;
    }
    endAt(end);
    return new PathStep.Modifier(before, PathModifier.of(name, argument, this));
  }

  private int argumentEnd(int start) {
    if ("{[\"".indexOf(text.charAt(start)) >= 0) {
      return balanced(start);
    }
    int end = start;
    while (end < text.length() && text.charAt(end) != '|') {
      end = "{[\"(".indexOf(text.charAt(end)) >= 0 ? balanced(end) : end + 1;
    }
    return end;
  }

  /** What does not begin with a separator is passed over, as there. */
  private void endAt(int end) {
    at = text.startsWith(".", end) || text.startsWith("|", end) ? end : text.length();
  }

  /** Behind the bracket or quote that closes the one at {@code start}; the end if none does. */
  private int balanced(int start) {
    int open = 0;
    for (int i = start; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '"' -> i = QueryText.closingQuote(text, i);
        case '{', '[', '(' -> open++;
        case '}', ']', ')' -> open--;
        default -> {}
      }
      if (open == 0) {
        return Math.min(i + 1, text.length());
      }
    }
    return text.length();
  }

  /** Null for what is no literal: then it is a field's name. */
  private PathStep literal(Separator before) {
    char first = text.charAt(at + 1);
    if (first == '{' || first == '[') {
      int end = balanced(at + 1);
      Optional<Json> value = Json.parse(text.substring(at + 1, end));
      if (value.isEmpty()) {
        throw new InvalidExpression("the literal \"" + text.substring(at, end) + "\" is no JSON");
      }
      endAt(end);
      return new PathStep.Literal(before, value);
    }
    if (first == '"' || first == '+' || first == '-' || first >= '0' && first <= '9') {
      String rest = text.substring(at + 1);
      at = text.length();
      return new PathStep.Literal(before, Json.parse(rest));
    }
    int end = at + 1;
    while (end < text.length() && text.charAt(end) != '|' && text.charAt(end) != '.') {
      end++;
    }
    String word = text.substring(at + 1, end);
    if (!WORDS.contains(word.toLowerCase(Locale.ROOT))) {
      return null;
    }
    at = end;
    return new PathStep.Literal(before, Json.parse(word));
  }

  /** Null if the brackets are never closed, or close in the middle of a name. */
  private PathStep multipath(Separator before) {
    Shape shape = text.charAt(at) == '[' ? Shape.LIST : Shape.MAP;
    var selections = new ArrayList<Selection>();
    int open = 1;
    int start = at + 1;
    int colon = 0;
    boolean modifier = false;
    for (int i = start; i < text.length(); i++) {
      char here = text.charAt(i);
      switch (here) {
        case '\\' -> i++;
        case '"' -> i = QueryText.closingQuote(text, i);
        case '@' -> modifier |= ".|".indexOf(text.charAt(i - 1)) >= 0;
        case ':' -> colon = !modifier && colon == 0 && open == 1 ? i : colon;
        case '[', '(', '{' -> open++;
        case ']', ')', '}' -> open--;
        default -> {}
      }
      if (open == 0 || here == ',' && open == 1) {
        selections.add(selection(start, colon, i));
        start = i + 1;
        colon = 0;
        modifier = false;
      }
      if (open == 0) {
        if (i + 1 < text.length() && ".|".indexOf(text.charAt(i + 1)) < 0) {
          return null;
        }
        at = i + 1;
        return new PathStep.Multipath(before, shape, selections);
      }
    }
    return null;
  }

  private Selection selection(int start, int colon, int end) {
    String path = text.substring(colon == 0 ? start : colon + 1, end);
    String name = colon == 0 ? nameOf(path) : unquotedName(text.substring(start, colon));
    return new Selection(name, inner(path));
  }

  private static String unquotedName(String name) {
    return name.startsWith("\"")
            && Json.parse(name).map(Json::value).orElse(null) instanceof String s
        ? s
        : name;
  }

  /** The last component of a path, as the name of what it finds. */
  private static String nameOf(String path) {
    int start = path.length();
    while (start > 0
        && (".|".indexOf(path.charAt(start - 1)) < 0
            || start > 1 && path.charAt(start - 2) == '\\')) {
      start--;
    }
    String name = path.substring(start);
    return name.chars().anyMatch(c -> c < ' ' || "[]{}()#|!".indexOf(c) >= 0) ? "_" : name;
  }

  private PathStep query(Separator before) {
    QueryText query = QueryText.read(text, at);
    at = query.end();
    return new PathStep.Query(
        before,
        query.path().isEmpty() ? List.of() : inner(query.path()),
        query.operator(),
        query.operand(),
        query.wanted());
  }
}
