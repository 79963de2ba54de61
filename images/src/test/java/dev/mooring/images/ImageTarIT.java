package dev.mooring.images;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Opens the images that the build has just written, and starts the programs in them. */
class ImageTarIT {
  private static final Path TARGET = Path.of("target").toAbsolutePath();
  private static final long SIZE_MAX = 250L << 20;

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(Program.class)
  void isSmallRunsAsAnotherUserAndSaysWhatItIs(Program program) throws IOException {
    Path tar = TARGET.resolve(program.image() + ".tar");
    assertThat(Files.size(tar)).isLessThanOrEqualTo(SIZE_MAX);

    JsonNode config = open(tar).at("/config");

    assertThat(config.at("/User").asString()).isEqualTo("10001:10001");
    assertThat(config.at("/WorkingDir").asString()).isEqualTo("/app");
    assertThat(config.at("/Entrypoint").valueStream().map(JsonNode::asString))
        .containsExactly("/opt/java/bin/java", "@/app/java.options", "-jar", "/app/program.jar");
    JsonNode labels = config.at("/Labels");
    assertThat(labels.get("org.opencontainers.image.title").asString())
        .isEqualTo("mooring/" + program.image());
    assertThat(labels.get("org.opencontainers.image.version").asString()).isNotEmpty();
    assertThat(labels.get("org.opencontainers.image.licenses").asString()).isEqualTo("Apache-2.0");
  }

  /** A change of Mooring leaves the layers of Linux, Java and other libraries as they are. */
  @ParameterizedTest
  @EnumSource(Program.class)
  void hasOneLayerForWhatChangesTogether(Program program) throws IOException {
    JsonNode history = open(TARGET.resolve(program.image() + ".tar")).at("/history");

    assertThat(history.valueStream().map(layer -> layer.at("/comment").asString()))
        .containsExactlyElementsOf(
            program == Program.KCP_SANDBOX
                ? List.of("system", "scratch", "java", "mooring", "cache")
                : List.of("system", "scratch", "java", "libraries", "mooring", "cache"));
  }

  @ParameterizedTest
  @EnumSource(Program.class)
  void namesItsContent(Program program) throws IOException {
    Path root = unpack(program);

    JsonNode materials = JsonMapper.shared().readTree(root.resolve("app/sbom.cdx.json").toFile());

    assertThat(materials.at("/bomFormat").asString()).isEqualTo("CycloneDX");
    assertThat(materials.at("/components").valueStream().map(part -> part.at("/name").asString()))
        .contains("libc6", "OpenJDK", "slf4j-api");
    assertThat(root.resolve("var/lib/dpkg/status.d/libc6")).content().contains("Package: libc6");
  }

  /**
   * As a container engine would, without one. The JVM ends at once if its cache does not fit;
   * otherwise the program prints its usage, or says which setting is missing.
   */
  @ParameterizedTest
  @EnumSource(Program.class)
  void startsWithItsCache(Program program) throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "skipped: only root may chroot");
    Path root = unpack(program);
    Files.createDirectories(root.resolve("proc"));
    String command =
        "mount -t proc proc '%1$s/proc' && chroot --userspec=10001:10001 '%1$s'"
            + " /opt/java/bin/java @/app/java.options -XX:AOTMode=on -jar /app/program.jar --help || true";

    String said = Command.run(directory, "unshare", "--mount", "sh", "-c", command.formatted(root));

    assertThat(said).containsAnyOf("Usage", "usage", "mooring.").doesNotContain("AOT cache");
  }

  private Path unpack(Program program) throws IOException {
    JsonNode manifest = manifest(TARGET.resolve(program.image() + ".tar"));
    Path root = Files.createDirectories(directory.resolve("root"));
    for (JsonNode layer : manifest.at("/Layers")) {
      Command.run(
          directory, "tar", "-xpzf", directory.resolve(layer.asString()).toString(), "-C", "root");
    }
    return root;
  }

  private JsonNode open(Path tar) {
    return JsonMapper.shared()
        .readTree(directory.resolve(manifest(tar).at("/Config").asString()).toFile());
  }

  private JsonNode manifest(Path tar) {
    Command.run(directory, "tar", "-xf", tar.toString(), "-C", directory.toString());
    return JsonMapper.shared().readTree(directory.resolve("manifest.json").toFile()).get(0);
  }
}
