package dev.mooring.acceptance.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages that lead through the code name types that exist. */
class NamedTypesTest {
  private static final Pattern NAMED = Pattern.compile("`([A-Z][a-z]+(?:[A-Z][A-Za-z0-9]+)+)`");

  /** Kinds of Kubernetes and kcp. */
  private static final Set<String> KINDS = Set.of("DependencyRule", "PublishedResource");

  @ParameterizedTest
  @ValueSource(strings = {"CONTRIBUTING.md", "docs/contributing/structure.md"})
  void existInTheCode(String page) throws IOException {
    String text = Files.readString(GeneratedTable.LAYOUT.file(page));
    Set<String> named =
        NAMED
            .matcher(text)
            .results()
            .map(found -> found.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    named.removeAll(types());
    named.removeAll(KINDS);

    assertThat(named).isEmpty();
  }

  private static Set<String> types() throws IOException {
    try (Stream<Path> modules = Files.list(GeneratedTable.LAYOUT.root())) {
      var types = new TreeSet<String>();
      for (Path module : modules.filter(path -> Files.isDirectory(path.resolve("src"))).toList()) {
        try (Stream<Path> files = Files.walk(module.resolve("src"))) {
          files
              .map(file -> file.getFileName().toString())
              .filter(name -> name.endsWith(".java"))
              .map(name -> name.replace(".java", ""))
              .forEach(types::add);
        }
      }
      return types;
    }
  }
}
