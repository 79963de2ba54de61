package dev.mooring.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.harness.ProjectLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds {@code acceptance-tests/acceptance.md} to the reports of the tests. Runs last of all, in
 * the phase {@code verify}. A module that was not built this time counts by its sources; classes of
 * a tag that this build excludes are not held to anything.
 */
class AcceptanceTableTest {
  private static final int BEHAVIOURS = 92;
  private static final int WEAKNESSES = 8;

  /** Of the classes that this build leaves out; empty with {@code -Pfull}. */
  private static final String EXCLUDED = System.getProperty("tests.excluded", "");

  private static final ProjectLayout LAYOUT = ProjectLayout.find();
  private static final Pattern ROW =
      Pattern.compile(
          "^\\| (\\d+|D-[a-z0-9-]+|P\\d+|W\\d[a-z]?|W-[a-z]+) \\| (.+?) \\|(.*)\\|$",
          Pattern.MULTILINE);
  private static final Pattern NAMED = Pattern.compile("`(\\w+)#(\\w+)`");
  private static final Pattern RAN =
      Pattern.compile(
          "<testcase name=\"(\\w+)[^\"]*\" classname=\"(?:\\w+\\.)*([\\w$]+)\"[^>]*>(?!\\s*<skipped)");

  private static final Pattern METHOD =
      Pattern.compile("\\n  (?:public )?(?:void|Stream<DynamicTest>) (\\w+)\\(");

  private record Row(String id, List<String> tests) {}

  @Test
  void hasARowForEveryBehaviour() {
    assertThat(rows().stream().map(Row::id))
        .containsAll(IntStream.rangeClosed(1, BEHAVIOURS).mapToObj(Integer::toString).toList())
        .containsAll(IntStream.rangeClosed(1, WEAKNESSES).mapToObj(n -> "W" + n).toList())
        .doesNotHaveDuplicates();
  }

  @Test
  void namesATestForEveryRow() {
    assertThat(rows().stream().filter(row -> row.tests().isEmpty()).map(Row::id)).isEmpty();
  }

  @Test
  void namesOnlyTestsThatRan() {
    Set<String> named = rows().stream().flatMap(row -> row.tests().stream()).collect(toSorted());

    Set<String> missing = new TreeSet<>(named);
    missing.removeAll(testsOfThisBuild());
    Set<String> excluded = excludedClasses();
    missing.removeIf(test -> excluded.contains(test.split("#")[0]));

    assertThat(missing).isEmpty();
  }

  @Test
  void takesNoTestThatWasSkippedForOneThatRan() {
    String report =
        """
        <testsuite tests="4" failures="1" skipped="2">
          <testcase name="ran" classname="dev.mooring.SomeTest" time="0.1"/>
          <testcase name="assumed" classname="dev.mooring.SomeTest" time="0.0">
            <skipped message="no kcp" type="org.opentest4j.TestAbortedException"/>
          </testcase>
          <testcase name="disabled" classname="dev.mooring.SomeTest"><skipped/></testcase>
          <testcase name="failed" classname="dev.mooring.SomeTest$Inner" time="0.1">
            <failure type="java.lang.AssertionError"/>
          </testcase>
        </testsuite>
        """;

    assertThat(ranIn(report)).containsExactly("Inner#failed", "SomeTest#ran");
  }

  @Test
  void findsInheritedTestsInTheSources() {
    assertThat(testsInSources(LAYOUT.root().resolve("shared-runtime")))
        .contains("KcpContract#scansWhatItLists", "KcpIT#scansWhatItLists");
  }

  @Test
  void findsTestsOfThisModuleWhetherOrNotTheyHaveRun() {
    assertThat(testsOfThisBuild())
        .contains("CommandLineReferenceTest#listsEveryOptionOfTheSandbox");
  }

  private static List<Row> rows() {
    List<Row> rows = new ArrayList<>();
    Matcher row = ROW.matcher(read(LAYOUT.file("acceptance-tests/acceptance.md")));
    while (row.find()) {
      List<String> tests =
          NAMED.matcher(row.group(3)).results().map(m -> m.group(1) + "#" + m.group(2)).toList();
      rows.add(new Row(row.group(1), tests));
    }
    return rows;
  }

  private static Set<String> testsOfThisBuild() {
    var tests = new HashSet<String>();
    for (Path module : modules()) {
      Path reports = module.resolve("target/surefire-reports");
      List<Path> files = files(reports, "TEST-.*\\.xml");
      if (files.isEmpty() || module.endsWith("acceptance-tests")) {
        // Of this module some have yet to run.
        Set<String> reported = files.stream().map(AcceptanceTableTest::type).collect(toSorted());
        testsInSources(module).stream()
            .filter(test -> !reported.contains(test.split("#")[0]))
            .forEach(tests::add);
      }
      for (Path report : files) {
        tests.addAll(ranIn(read(report)));
      }
    }
    return tests;
  }

  private static Set<String> ranIn(String report) {
    return RAN.matcher(report)
        .results()
        .map(found -> found.group(2).replaceFirst(".*\\$", "") + "#" + found.group(1))
        .collect(toSorted());
  }

  private static Set<String> excludedClasses() {
    if (EXCLUDED.isEmpty()) {
      return Set.of();
    }
    return modules().stream()
        .flatMap(module -> files(module.resolve("src/test/java"), ".*\\.java").stream())
        .filter(source -> read(source).contains("@Tag(\"" + EXCLUDED + "\")"))
        .map(AcceptanceTableTest::type)
        .collect(toSorted());
  }

  /** With those that a class inherits from another one of the module. */
  private static Set<String> testsInSources(Path module) {
    var sources = new HashMap<String, String>();
    files(module.resolve("src/test/java"), ".*\\.java")
        .forEach(source -> sources.merge(type(source), read(source), String::concat));
    var tests = new HashSet<String>();
    for (String type : sources.keySet()) {
      String declaring = type;
      while (sources.containsKey(declaring)) {
        String source = sources.get(declaring);
        METHOD.matcher(source).results().forEach(found -> tests.add(type + "#" + found.group(1)));
        declaring = superclass(declaring, source);
      }
    }
    return tests;
  }

  /** Empty if it names none. */
  private static String superclass(String type, String source) {
    Matcher found = Pattern.compile("class " + type + "\\b[^{]* extends (\\w+)").matcher(source);
    return found.find() ? found.group(1) : "";
  }

  /** The class that a source or a report is about. */
  private static String type(Path file) {
    return file.getFileName()
        .toString()
        .replaceFirst("\\.(java|xml)$", "")
        .replaceFirst(".*\\.", "");
  }

  private static List<Path> modules() {
    try (Stream<Path> entries = Files.list(LAYOUT.root())) {
      return entries.filter(entry -> Files.isDirectory(entry.resolve("src/test/java"))).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Path> files(Path directory, String name) {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.walk(directory)) {
      return entries.filter(entry -> entry.getFileName().toString().matches(name)).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static java.util.stream.Collector<String, ?, TreeSet<String>> toSorted() {
    return Collectors.toCollection(TreeSet::new);
  }
}
