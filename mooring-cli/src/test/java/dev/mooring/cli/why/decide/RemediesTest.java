package dev.mooring.cli.why.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.harness.ProjectLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The remedies of objects in docs/reference/conditions-and-events.md, and those of the command. */
class RemediesTest {
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  /** The last cell of these tables says what the object waits for. */
  private static final String WAITING = "| Reason | The object waits for |";

  @Test
  void hasARemedyForEveryReasonThatTheReferenceHasOneFor() throws IOException {
    assertThat(Remedies.BY_REASON.keySet()).containsAll(documented(Tables.WITH_REMEDY).keySet());
  }

  @Test
  void hasNoReasonThatTheReferenceDoesNotHave() throws IOException {
    assertThat(documented(Tables.ALL).keySet()).containsAll(Remedies.BY_REASON.keySet());
  }

  @Test
  void namesTheFieldsThatTheReferenceNames() throws IOException {
    documented(Tables.WITH_REMEDY)
        .forEach((reason, remedy) ->
            fields(remedy)
                .forEach(
                    field -> assertThat(Remedies.of(reason).fix()).as(reason).contains(field)));
  }

  private static List<String> fields(String remedy) {
    return CODE.matcher(remedy.replaceAll("See [^.]*\\S*", ""))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  private enum Tables {
    ALL,
    WITH_REMEDY
  }

  /** Last cell by reason. */
  private static Map<String, String> documented(Tables tables) throws IOException {
    String page =
        Files.readString(ProjectLayout.find().file("docs/reference/conditions-and-events.md"));
    String section =
        page.substring(
            page.indexOf("## Events on consumers' objects"), page.indexOf("## Events on copies"));
    int waiting = section.indexOf(WAITING);
    assertThat(waiting).isPositive();
    var documented = new LinkedHashMap<String, String>();
    for (String line :
        (tables == Tables.ALL ? section : section.substring(0, waiting)).lines().toList()) {
      String[] cells = line.split("\\|");
      if (line.startsWith("| `") && (tables == Tables.ALL || !cells[cells.length - 1].isBlank())) {
        CODE.matcher(cells[1])
            .results()
            .map(found -> found.group(1))
            .forEach(reason -> documented.put(reason, cells[cells.length - 1].strip()));
      }
    }
    // Of deletions that go on as they should.
    documented.keySet().removeAll(List.of("ObjectCleanup", "ObjectDeleted"));
    return documented;
  }
}
