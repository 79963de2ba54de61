package dev.mooring.acceptance.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.acceptance.tidy.Tidy.Finding;
import dev.mooring.acceptance.tidy.Tidy.Word;
import dev.mooring.harness.ProjectLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Holds main code, documentation and chart to the list of words. {@code tidy/remaining.txt} counts
 * what older files still say; a number there only ever gets smaller.
 */
class TidyTest {
  private static final Path ROOT = ProjectLayout.find().root();
  private static final Path REMAINING =
      ROOT.resolve("acceptance-tests/src/test/resources/tidy/remaining.txt");

  private final Tidy tidy =
      new Tidy(
          List.of(
              Word.parse("told | informed"),
              Word.parse("let go | release | docs/quotes.md"),
              Word.parse("ground | reason")));

  @Test
  void findsNoWordOfTheListInTheProject() throws IOException {
    Map<String, Integer> remaining = remaining();
    var byFile = new HashMap<String, List<Finding>>();
    for (Finding finding : Tidy.of(ROOT.resolve(Tidy.WORDS)).check(ROOT, Tidy.files(ROOT, ROOT))) {
      byFile.computeIfAbsent(finding.file().toString(), _ -> new ArrayList<>()).add(finding);
    }

    byFile
        .entrySet()
        .removeIf(file -> file.getValue().size() <= remaining.getOrDefault(file.getKey(), 0));

    assertThat(byFile.values().stream().flatMap(List::stream)).isEmpty();
  }

  @Test
  void findsAWordInACommentAndNamesItsLine() {
    String source = "class A {\n  // Nothing was\n  /** is told of it */\n  int a;\n}\n";

    assertThat(tidy.check(Path.of("A.java"), source))
        .containsExactly(new Finding(Path.of("A.java"), 3, "told", "informed"));
  }

  @Test
  void findsAWordInTheFirstLineAndInTheLast() {
    assertThat(tidy.check(Path.of("a.md"), "Told.\n\ntold"))
        .extracting(Finding::line)
        .containsExactly(1, 3);
  }

  @Test
  void findsAWordWithinAName() {
    String source = "boolean isTold; ToldReviews toldReviews; void letGo() {}";

    assertThat(tidy.check(Path.of("A.java"), source))
        .extracting(Finding::word)
        .containsExactly("told", "told", "told", "letgo");
  }

  @Test
  void findsAPhraseAcrossTheLinesOfAComment() {
    assertThat(tidy.check(Path.of("A.java"), "/**\n * Then let\n * go of it.\n */"))
        .extracting(Finding::line)
        .containsExactly(2);
  }

  @Test
  void leavesWordsThatOnlyContainOne() {
    assertThat(tidy.check(Path.of("a.md"), "background, groundwork, Playground, stoldeb"))
        .isEmpty();
  }

  @Test
  void leavesAWordWhereItIsRight() {
    assertThat(tidy.check(Path.of("docs/quotes.md"), "let go")).isEmpty();
  }

  /** How many findings a file may still have. */
  private static Map<String, Integer> remaining() throws IOException {
    var counts = new HashMap<String, Integer>();
    for (String line : Files.readAllLines(REMAINING)) {
      if (!line.isBlank() && !line.startsWith("#")) {
        String[] parts = line.split(" ");
        counts.put(parts[1], Integer.parseInt(parts[0]));
      }
    }
    return counts;
  }
}
