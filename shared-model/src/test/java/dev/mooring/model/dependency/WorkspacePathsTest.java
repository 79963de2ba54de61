package dev.mooring.model.dependency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.WorkspacePath;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkspacePathsTest {
  @ParameterizedTest
  @CsvSource({
    "root:net, root:net, false", "root:net, root:dns, true", "root, root:net, true",
    "root:net, 2hh1nlb5:net, false", "home:alice, root:alice, false", "rooted:a, root:a, false"
  })
  void onlyPathsOfOneRootCertainlyDiffer(String one, String other, boolean differ) {
    assertThat(WorkspacePaths.certainlyDiffer(new WorkspacePath(one), new WorkspacePath(other)))
        .isEqualTo(differ);
  }

  /**
   * Every path of at most four segments × every workspace of a tree three levels deep × every
   * workspace below the root that the logical cluster may be whose name the path begins with.
   */
  @Test
  void aPathMayLeadToAWorkspaceExactlyIfItDoesInSomeWorld() {
    List<String> below = below(3);
    var led = new ArrayList<String>();

    for (String first : List.of("root", "k1")) {
      for (String rest : below) {
        for (String own : below) {
          boolean inSomeWorld =
              first.equals("root")
                  ? rest.equals(own)
                  : below.stream().skip(1).anyMatch(k1 -> (k1 + rest).equals(own));
          var path = new WorkspacePath(first + rest);
          var workspace = new WorkspacePath("root" + own);

          assertThat(WorkspacePaths.mayLeadTo(path, workspace))
              .as("%s to %s", path, workspace)
              .isEqualTo(inSomeWorld);
          if (inSomeWorld) {
            led.add(path + " " + workspace);
          }
        }
      }
    }

    assertThat(led).hasSize(15 + 14 + 12 + 8).contains("k1:b root:a:b");
  }

  /** What may follow the root, down to a depth; nothing first. */
  private static List<String> below(int depth) {
    var all = new ArrayList<>(List.of(""));
    List<String> last = List.of("");
    for (int level = 0; level < depth; level++) {
      last = last.stream().flatMap(at -> Stream.of(at + ":a", at + ":b")).toList();
      all.addAll(last);
    }
    return all;
  }
}
