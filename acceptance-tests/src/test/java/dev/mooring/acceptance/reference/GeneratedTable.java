package dev.mooring.acceptance.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.harness.ProjectLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A table in a page of docs/reference, between the lines {@code <!-- generated: name -->} and
 * {@code <!-- end -->}. A test compares it with what the build says; with {@code -Ddocs=write} the
 * test writes it.
 */
final class GeneratedTable {
  static final ProjectLayout LAYOUT = ProjectLayout.find();
  private static final String END = "<!-- end -->";

  private final Path page;
  private final String begin;

  GeneratedTable(String page, String name) {
    this.page = LAYOUT.file("docs/reference/" + page);
    this.begin = "<!-- generated: " + name + " -->\n";
  }

  /** The lines of the table, its two head lines included. */
  List<String> lines() throws IOException {
    String text = Files.readString(page);
    return text.substring(start(text), end(text)).strip().lines().toList();
  }

  void mustBe(List<String> lines) throws IOException {
    if ("write".equals(System.getProperty("docs"))) {
      String text = Files.readString(page);
      Files.writeString(
          page,
          text.substring(0, start(text))
              + "\n"
              + String.join("\n", lines)
              + "\n\n"
              + text.substring(end(text)));
    }
    assertThat(lines())
        .as("%s; run this test with -Ddocs=write to write it", page)
        .containsExactlyElementsOf(lines);
  }

  private int start(String text) {
    int at = text.indexOf(begin);
    assertThat(at).as("%s in %s", begin, page).isNotNegative();
    return at + begin.length();
  }

  private int end(String text) {
    int at = text.indexOf(END, start(text));
    assertThat(at).as("%s in %s", END, page).isNotNegative();
    return at;
  }

  /** A cell of a Markdown table. */
  static String cell(String text) {
    return text.strip().replaceAll("\\s+", " ").replace("|", "\\|").replace("<", "&lt;");
  }
}
