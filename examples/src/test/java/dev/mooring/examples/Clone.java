package dev.mooring.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The clone that these tests were built in. */
final class Clone {
  /** What a user of the JUnit extension gets from a repository. */
  private static final List<String> MODULES =
      List.of("go-languages", "shared-model", "kube-sandbox", "kcp-sandbox", "kcp-sandbox-junit");

  private Clone() {}

  /** Maven runs tests in their module's directory. */
  static Path root() {
    Path here = Path.of("").toAbsolutePath();
    return Files.exists(here.resolve("mvnw")) ? here : here.getParent();
  }

  /** Puts the artifacts of this build into a repository of files. */
  static void publish(Path repository) throws IOException {
    String version = version();
    copy(root().resolve("pom.xml"), artifact(repository, "mooring", version, ".pom"));
    for (String module : MODULES) {
      Path from = root().resolve(module);
      copy(from.resolve("pom.xml"), artifact(repository, module, version, ".pom"));
      copy(
          from.resolve("target/" + module + "-" + version + ".jar"),
          artifact(repository, module, version, ".jar"));
    }
  }

  private static String version() throws IOException {
    Matcher version =
        Pattern.compile("<artifactId>mooring</artifactId>\\s*<version>([^<]+)<")
            .matcher(Files.readString(root().resolve("pom.xml")));
    if (!version.find()) {
      throw new IllegalStateException("pom.xml has no version");
    }
    return version.group(1);
  }

  private static Path artifact(Path repository, String name, String version, String ending) {
    return repository.resolve(
        "dev/mooring/%s/%s/%s-%s%s".formatted(name, version, name, version, ending));
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.copy(from, to);
  }
}
