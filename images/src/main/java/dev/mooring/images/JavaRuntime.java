package dev.mooring.images;

import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The part of the running JDK that the programs need. The image runs on the JVM that made its AOT
 * cache: the cache is of no use to another build of the JVM.
 */
final class JavaRuntime {
  /** Spring needs java.desktop for bean properties; the last ones are for operators. */
  private static final String MODULES =
      "java.base,java.desktop,java.instrument,java.logging,java.management,java.naming,"
          + "java.net.http,java.scripting,java.security.jgss,java.security.sasl,java.sql,"
          + "java.transaction.xa,java.xml,jdk.crypto.cryptoki,jdk.httpserver,jdk.management,"
          + "jdk.naming.dns,jdk.net,jdk.unsupported,jdk.zipfs,jdk.jcmd,jdk.jfr,"
          + "jdk.management.agent";

  private JavaRuntime() {}

  /**
   * @param home does not exist yet
   */
  static void link(Path home, Path work) {
    Path jlink = Path.of(System.getProperty("java.home"), "bin", "jlink");
    if (!Files.isExecutable(jlink)) {
      throw new ImageFailure("%s is missing: build with a JDK 25, not a JRE.".formatted(jlink));
    }
    Command.run(
        work,
        jlink.toString(),
        "--add-modules",
        MODULES,
        "--no-header-files",
        "--no-man-pages",
        "--output",
        home.toString());
  }

  static String java(Path home) {
    return home.resolve("bin/java").toString();
  }
}
