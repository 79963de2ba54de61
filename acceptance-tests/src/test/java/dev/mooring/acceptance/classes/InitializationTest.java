package dev.mooring.acceptance.classes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.harness.ProjectLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * No two classes initialize each other. Two threads that begin with one each would wait for ever,
 * and with them every later thread that needs one of the two.
 */
class InitializationTest {
  private static final Path ROOT = ProjectLayout.find().root();

  @Test
  void noClassOfAnyModuleInitializesAnotherThatInitializesIt() throws IOException {
    var files = new ArrayList<Path>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.toList()) {
        files.addAll(classFiles(module.resolve("target/classes")));
      }
    }

    var graph = InitializationGraph.of(files);

    assertThat(graph.names())
        .contains(
            "dev/mooring/model/object/KubeObject",
            "dev/mooring/sandbox/KcpSandbox",
            "dev/mooring/cli/MooringProgram",
            "dev/mooring/syncagent/SyncAgentApplication",
            "dev/mooring/depcontroller/DependencyControllerApplication",
            "dev/mooring/depwebhook/DependencyWebhookApplication");
    assertThat(graph.cycles()).isEmpty();
  }

  @Test
  void findsAConstantOfAnInterfaceAndAConstantWithABody() throws IOException {
    Path own = ROOT.resolve("acceptance-tests/target/test-classes");

    assertThat(InitializationGraph.of(classFiles(own)).cycles())
        .extracting(List::toString)
        .anyMatch(cycle -> cycle.contains("$Shape,") && cycle.contains("$Square]"))
        .anyMatch(cycle -> cycle.contains("$Answer,") && cycle.contains("$Answer$1]"))
        .anyMatch(cycle -> cycle.contains("$Called,") && cycle.contains("$Caller]"))
        .hasSize(3);
  }

  private static List<Path> classFiles(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(file -> file.toString().endsWith(".class")).toList();
    }
  }

  interface Shape {
    Shape UNIT = new Square();

    default Shape unit() {
      return UNIT;
    }
  }

  static final class Square implements Shape {}

  enum Answer {
    YES {
      @Override
      String text() {
        return "yes";
      }
    };

    abstract String text();
  }

  static final class Caller {
    static final Object MADE = Stream.of(1).map(_ -> made()).toList();

    private static Object made() {
      return Called.value();
    }
  }

  static final class Called {
    private static final Object OTHER = Caller.MADE;

    static Object value() {
      return OTHER;
    }
  }
}
