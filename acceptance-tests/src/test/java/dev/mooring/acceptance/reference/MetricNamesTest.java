package dev.mooring.acceptance.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Alerts, dashboards and pages name only metrics that docs/reference/metrics.md lists. */
class MetricNamesTest {
  private static final Pattern NAME =
      Pattern.compile(
          "mooring_(?:health\\b|(?:sync|events|client|certificate|dependency)_[a-z_]*[a-z])");

  @Test
  void areListed() throws IOException {
    Set<String> listed = names(GeneratedTable.LAYOUT.file("docs/reference/metrics.md"), "| `");
    var unknown = new TreeMap<Path, Set<String>>();
    Path root = GeneratedTable.LAYOUT.root();
    try (Stream<Path> docs = Files.walk(root.resolve("docs"));
        Stream<Path> chart = Files.walk(root.resolve("charts"))) {
      for (Path page : Stream.concat(docs, chart).filter(MetricNamesTest::isRead).toList()) {
        Set<String> names = names(page, "");
        names.removeIf(name ->
            listed.contains(name)
                || listed.contains(name.replaceFirst("_(bucket|count|sum)$", "")));
        if (!names.isEmpty()) {
          unknown.put(page, names);
        }
      }
    }

    assertThat((Map<Path, Set<String>>) unknown).isEmpty();
  }

  private static boolean isRead(Path file) {
    return Stream.of(".md", ".yaml", ".json").anyMatch(file.toString()::endsWith);
  }

  private static Set<String> names(Path page, String lineStart) throws IOException {
    var names = new TreeSet<String>();
    try (Stream<String> lines = Files.lines(page)) {
      lines
          .filter(line -> line.startsWith(lineStart))
          .forEach(line -> NAME.matcher(line).results().forEach(name -> names.add(name.group())));
    }
    return names;
  }
}
