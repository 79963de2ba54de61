package dev.mooring.acceptance.install;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The commands of a documentation page: its fenced {@code sh} blocks, in their order. */
record Page(List<Block> blocks) {
  private static final Pattern FENCED =
      Pattern.compile("^```(sh|text)\\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

  /**
   * @param commands as a reader pastes them
   * @param shown lines of the {@code text} block that follows; {@code …} is any text. Empty if none
   *     follows
   */
  record Block(String commands, List<String> shown) {
    /** Whether the page says that the last command fails. */
    boolean fails() {
      return shown.stream().anyMatch(line -> line.startsWith("Error"));
    }

    /** The lines of the page that are not in the output, or not in that order. */
    List<String> missingIn(String output) {
      List<String> lines = output.lines().map(Page::squeezed).toList();
      var missing = new ArrayList<String>();
      int from = 0;
      for (String line : shown) {
        int found = from;
        while (found < lines.size() && !pattern(line).matcher(lines.get(found)).matches()) {
          found++;
        }
        if (found == lines.size()) {
          missing.add(line);
        } else {
          from = found + 1;
        }
      }
      return missing;
    }
  }

  static Page read(Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var blocks = new ArrayList<Block>();
    Matcher fenced = FENCED.matcher(text);
    while (fenced.find()) {
      if (fenced.group(1).equals("sh")) {
        blocks.add(new Block(fenced.group(2), List.of()));
      } else if (!blocks.isEmpty()) {
        Block shownBy = blocks.removeLast();
        blocks.add(
            new Block(shownBy.commands(), fenced.group(2).lines().map(Page::squeezed).toList()));
      }
    }
    return new Page(List.copyOf(blocks));
  }

  private static String squeezed(String line) {
    return line.strip().replaceAll("\\s+", " ");
  }

  private static Pattern pattern(String line) {
    return Pattern.compile(
        Pattern.compile("…")
                .splitAsStream(line)
                .map(Pattern::quote)
                .collect(Collectors.joining(".*"))
            + (line.endsWith("…") ? ".*" : ""));
  }
}
