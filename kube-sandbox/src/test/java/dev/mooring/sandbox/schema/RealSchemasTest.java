package dev.mooring.sandbox.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Schemas that people publish, large and deep; the environment variable {@code MOORING_REAL_CRDS}
 * names a folder with CustomResourceDefinitions.
 */
class RealSchemasTest {

  @TestFactory
  Stream<DynamicTest> rulesOfPublishedDefinitionsCompile() throws IOException {
    String folder = System.getenv("MOORING_REAL_CRDS");
    assumeTrue(folder != null, "skipped: MOORING_REAL_CRDS names no folder");
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList().stream()
          .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> read(file)));
    }
  }

  private static void read(Path file) throws IOException {
    Map<String, Object> definition = SchemaTexts.tree(Files.readString(file));
    for (Object version : Trees.listOrEmpty(Trees.at(definition, "spec", "versions"))) {
      var schema =
          CompiledSchema.of(Trees.mapOrEmpty(Trees.at(version, "schema", "openAPIV3Schema")));

      assertThatCode(() -> schema.rules().forEach(rule -> assertThat(rule.cost()).isNotNegative()))
          .doesNotThrowAnyException();
      assertThat(schema.prune(KubeObject.of(Map.of("odd", 1L))).unknownFields())
          .containsExactly("odd");
    }
  }
}
