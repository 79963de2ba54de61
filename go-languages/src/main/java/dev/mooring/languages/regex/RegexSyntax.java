package dev.mooring.languages.regex;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A pattern of Go's regexp in the words of RE2/J, which knows fewer names of character classes and
 * takes the name of a group only once.
 *
 * @param pattern for RE2/J; invalid where the original is
 * @param groups numbers of the groups with a name, in their order
 */
record RegexSyntax(String pattern, Map<String, List<Integer>> groups) {
  static RegexSyntax of(String original) {
    return new Translation(original).run();
  }

  private static final class Translation {
    private final String source;
    private final StringBuilder out = new StringBuilder();
    private final Map<String, List<Integer>> groups = new HashMap<>();
    private int at;
    private int groupCount;
    private boolean inClass;

    Translation(String source) {
      this.source = source;
    }

    RegexSyntax run() {
      while (at < source.length()) {
        switch (source.charAt(at)) {
          case '\\' -> escape();
          case '[' -> bracket();
          case ']' -> {
            inClass = false;
            copy(at + 1);
          }
          case '(' -> group();
          default -> copy(at + 1);
        }
      }
      return new RegexSyntax(out.toString(), groups);
    }

    private void copy(int end) {
      int most = Math.min(end, source.length());
      out.append(source, at, most);
      at = most;
    }

    private void copyThrough(String end) {
      int index = source.indexOf(end, at + 2);
      copy(index < 0 ? source.length() : index + end.length());
    }

    private void escape() {
      if (!inClass && source.startsWith("\\Q", at)) {
        copyThrough("\\E");
        return;
      }
      int close = source.indexOf('}', at);
      if (close < 0 || !source.startsWith("\\p{", at) && !source.startsWith("\\P{", at)) {
        copy(at + 2);
        return;
      }
      String name = source.substring(at + 3, close);
      boolean negated = source.charAt(at + 1) == 'P' ^ name.startsWith("^");
      RegexClasses.named(name.startsWith("^") ? name.substring(1) : name, negated)
          .ifPresentOrElse(
              ranges -> {
                // Brackets cannot be empty: nothing is what is no character.
                String inside = ranges.isEmpty() ? "^\\x{0}-\\x{10ffff}" : ranges;
                out.append(inClass ? ranges : "[" + inside + "]");
                at = close + 1;
              },
              () -> copy(close + 1));
    }

    private void bracket() {
      if (inClass) {
        if (source.startsWith("[:", at)) {
          copyThrough(":]");
        } else {
          copy(at + 1);
        }
        return;
      }
      inClass = true;
      copy(source.startsWith("[^", at) ? at + 2 : at + 1);
      if (source.startsWith("]", at)) {
        copy(at + 1);
      }
    }

    private void group() {
      if (inClass) {
        copy(at + 1);
        return;
      }
      int name = source.startsWith("(?P<", at) ? at + 4 : at + 3;
      boolean named =
          source.startsWith("(?P<", at)
              || source.startsWith("(?<", at)
                  && !source.startsWith("=", name)
                  && !source.startsWith("!", name);
      int close = named ? source.indexOf('>', at) : -1;
      if (close < 0) {
        groupCount += source.startsWith("(?", at) ? 0 : 1;
        copy(at + 1);
        return;
      }
      groupCount++;
      List<Integer> numbers =
          groups.computeIfAbsent(source.substring(name, close), unused -> new ArrayList<>());
      numbers.add(groupCount);
      if (numbers.size() > 1) {
        out.append('(');
        at = close + 1;
      } else {
        copy(close + 1);
      }
    }
  }
}
