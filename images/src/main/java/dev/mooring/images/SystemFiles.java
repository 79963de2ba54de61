package dev.mooring.images;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a JVM needs of Linux: the C library of the build machine's distribution, its name for
 * scanners, and the user. The packages come from the distribution's archive, which apt verifies.
 */
final class SystemFiles {
  static final int USER = 10_001;
  private static final List<String> PACKAGES = List.of("base-files", "libc6");
  // Of a merged /usr, too. No character sets beyond the JVM's own, no tools.
  private static final Pattern LIBRARY =
      Pattern.compile("/(?:usr/)?(lib(?:64)?/(?:[^/]+-linux-gnu[^/]*/)?[^/]+\\.so[^/]*)");
  private static final Pattern TEXT =
      Pattern.compile("/(etc/os-release|usr/share/doc/libc6/copyright)");

  private SystemFiles() {}

  /** Creates the tree in a directory that is empty or missing. */
  static List<Package> unpack(Path root, Path work) throws IOException {
    if (!Files.isExecutable(Path.of("/usr/bin/apt-get"))) {
      throw new ImageFailure(
          "The images' C library comes from the packages of Debian or Ubuntu, and this machine has no"
              + " apt-get. Build with the Dockerfile here.");
    }
    Path packages = Files.createDirectories(work.resolve("packages"));
    var found = new ArrayList<Package>();
    for (String name : PACKAGES) {
      download(packages, name);
      Path archive = archive(packages, name);
      Path all = Files.createDirectories(work.resolve("unpacked").resolve(name));
      Command.run(work, "dpkg-deb", "-x", archive.toString(), all.toString());
      keep(all, root);
      String control = Command.run(work, "dpkg-deb", "-f", archive.toString());
      found.add(Package.parse(control));
      // Where scanners look for the packages of an image without dpkg.
      Path status = Files.createDirectories(root.resolve("var/lib/dpkg/status.d"));
      Files.writeString(status.resolve(name), control);
    }
    write(root, "etc/passwd", "mooring:x:%1$d:%1$d:mooring:/app:/sbin/nologin\n".formatted(USER));
    write(root, "etc/group", "mooring:x:%d:\n".formatted(USER));
    write(root, "etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files dns\n");
    return found;
  }

  private static void download(Path packages, String name) {
    try {
      Command.run(packages, "apt-get", "-q", "download", name);
    } catch (ImageFailure e) {
      throw new ImageFailure(
          "Package %s could not be fetched; run apt-get update once.%n%s"
              .formatted(name, e.getMessage()));
    }
  }

  private static Path archive(Path packages, String name) throws IOException {
    try (Stream<Path> files = Files.list(packages)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(name + "_"))
          .findFirst()
          .orElseThrow(() -> new ImageFailure("apt-get downloaded no file of package " + name));
    }
  }

  private static void keep(Path all, Path root) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(all)) {
      files = walk.filter(file -> !Files.isDirectory(file)).toList();
    }
    for (Path file : files) {
      String path = "/" + all.relativize(file);
      for (Matcher kept : List.of(LIBRARY.matcher(path), TEXT.matcher(path))) {
        if (kept.matches()) {
          Path target = root.resolve(kept.group(1));
          Files.createDirectories(target.getParent());
          // Of a link its target within the package: images hold files alone.
          Files.copy(Files.isSymbolicLink(file) ? linked(all, file) : file, target);
        }
      }
    }
  }

  private static Path linked(Path all, Path link) throws IOException {
    Path target = Files.readSymbolicLink(link);
    Path file =
        target.isAbsolute()
            ? all.resolve(target.toString().substring(1))
            : link.resolveSibling(target).normalize();
    return Files.isSymbolicLink(file) ? linked(all, file) : file;
  }

  private static void write(Path root, String path, String content) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  /** A package of the distribution. */
  record Package(String name, String version, String architecture) {
    private static Package parse(String control) {
      Map<String, String> fields =
          control
              .lines()
              .filter(line -> !line.startsWith(" ") && line.contains(": "))
              .map(line -> line.split(": ", 2))
              .collect(Collectors.toMap(field -> field[0], field -> field[1]));
      return new Package(
          fields.getOrDefault("Package", ""),
          fields.getOrDefault("Version", ""),
          fields.getOrDefault("Architecture", ""));
    }
  }
}
