package dev.mooring.acceptance.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.harness.ProjectLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds the lines of main code of each module to {@code .ci/size-budget}. A budget is raised in a
 * commit of its own, which names the user who needs what is added, and what went for it.
 */
class SizeBudgetTest {
  private static final Path ROOT = ProjectLayout.find().root();

  @Test
  void noModuleHasMoreMainCodeThanItsBudget() throws IOException {
    SortedMap<String, Long> sizes = sizes();
    SortedMap<String, Long> budget = budget();
    sizes.forEach((module, lines) ->
        System.out.printf("%7d of %7d  %s%n", lines, budget.get(module), module));
    System.out.printf(
        "%7d of %7d  all main code%n",
        sizes.values().stream().mapToLong(Long::longValue).sum(),
        budget.values().stream().mapToLong(Long::longValue).sum());

    assertThat(budget.keySet()).isEqualTo(sizes.keySet());
    assertThat(sizes)
        .allSatisfy((module, lines) ->
            assertThat(lines)
                .as("lines of %s/src/main/**.java; the budget is in .ci/size-budget", module)
                .isLessThanOrEqualTo(budget.get(module)));
  }

  private static SortedMap<String, Long> sizes() throws IOException {
    var sizes = new TreeMap<String, Long>();
    for (Path module : list(ROOT)) {
      long lines = lines(module.resolve("src/main/java"));
      if (lines > 0) {
        sizes.put(module.getFileName().toString(), lines);
      }
    }
    return sizes;
  }

  private static long lines(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return 0;
    }
    long lines = 0;
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        lines += Files.readAllLines(file).size();
      }
    }
    return lines;
  }

  private static Iterable<Path> list(Path directory) throws IOException {
    try (Stream<Path> children = Files.list(directory)) {
      return children.filter(Files::isDirectory).toList();
    }
  }

  private static SortedMap<String, Long> budget() throws IOException {
    return Files.readAllLines(ROOT.resolve(".ci/size-budget")).stream()
        .filter(line -> !line.isBlank() && !line.startsWith("#"))
        .map(line -> line.strip().split("\\s+"))
        .collect(
            Collectors.toMap(
                parts -> parts[1],
                parts -> Long.valueOf(parts[0]),
                (one, other) -> one,
                TreeMap::new));
  }
}
