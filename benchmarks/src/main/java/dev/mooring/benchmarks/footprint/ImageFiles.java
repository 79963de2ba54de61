package dev.mooring.benchmarks.footprint;

import dev.mooring.harness.HarnessFailure;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The files of an image, unpacked, and what a container engine would start.
 *
 * @param root as the container sees {@code /}
 */
record ImageFiles(Path root, List<String> entrypoint, Map<String, String> environment) {
  /**
   * @param tar of module {@code images}
   * @param directory is empty, or missing
   */
  static ImageFiles unpack(Path tar, Path directory) throws IOException {
    if (!Files.isRegularFile(tar)) {
      throw new HarnessFailure(
          "There is no " + tar + ". Build it: ./mvnw -Pimages -pl images -am -DskipTests package");
    }
    Path archive = Files.createDirectories(directory.resolve("archive"));
    Path root = Files.createDirectories(directory.resolve("root"));
    run("tar", "--warning=no-unknown-keyword", "-xf", tar.toString(), "-C", archive.toString());
    Object manifest =
        Trees.listOrEmpty(KubeJson.read(Files.readString(archive.resolve("manifest.json"))))
            .getFirst();
    for (String layer : Trees.texts(Trees.at(manifest, "Layers"))) {
      run(
          "tar",
          "--warning=no-unknown-keyword",
          "-xpzf",
          archive.resolve(layer).toString(),
          "-C",
          root.toString());
    }
    KubeObject config =
        KubeJson.readObject(Files.readAllBytes(archive.resolve(Trees.text(manifest, "Config"))));
    var environment = new LinkedHashMap<String, String>();
    for (String variable : Trees.texts(config.at("config", "Env"))) {
      int equals = variable.indexOf('=');
      environment.put(variable.substring(0, equals), variable.substring(equals + 1));
    }
    return new ImageFiles(root, Trees.texts(config.at("config", "Entrypoint")), environment);
  }

  /**
   * Starts it in these files, with its own processes and mounts; needs root.
   *
   * @param visible directory of this machine that the program sees at the same path
   */
  List<String> command(Path visible, List<String> javaOptions, List<String> arguments) {
    String here = root + visible.toString();
    var command = new ArrayList<>(List.of("unshare", "--mount", "sh", "-c"));
    command.add(
        ("mkdir -p '%1$s/proc' '%1$s/sys' '%1$s/dev' '%2$s'; mount -t proc proc '%1$s/proc';"
                // Without /dev/urandom a JVM gathers entropy by itself, for eight seconds.
                + " mount --rbind /sys '%1$s/sys'; mount --rbind /dev '%1$s/dev';"
                + " mount --bind '%3$s' '%2$s'; exec chroot '%1$s' \"$@\"")
            .formatted(root, here, visible));
    command.add("-");
    command.add(entrypoint.getFirst());
    command.addAll(javaOptions);
    command.addAll(entrypoint.subList(1, entrypoint.size()));
    command.addAll(arguments);
    return command;
  }

  private static void run(String... command) throws IOException {
    try {
      int status = new ProcessBuilder(command).inheritIO().start().waitFor();
      HarnessFailure.unless(status == 0, String.join(" ", command) + " ended with " + status);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HarnessFailure("interrupted", e);
    }
  }
}
