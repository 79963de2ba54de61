package dev.mooring.images;

import java.nio.file.Path;
import java.util.Locale;

/** The programs that have an image. */
enum Program {
  SYNC_AGENT("-service"),
  DEPENDENCY_CONTROLLER("-service"),
  DEPENDENCY_WEBHOOK("-service"),
  KCP_SANDBOX("-server");

  private final String image = name().toLowerCase(Locale.ROOT).replace('_', '-');
  private final String module;

  /**
   * @param suffix of the module's name
   */
  Program(String suffix) {
    this.module = image + suffix;
  }

  /** The last part of the image's name, as the chart uses it. */
  String image() {
    return image;
  }

  Path jar(Path project) {
    String jar = this == KCP_SANDBOX ? image : module;
    return project.resolve(module).resolve("target").resolve(jar + ".jar");
  }

  /** The JVM's options, one on each line; the Dockerfile reads the same file. */
  Path options(Path project) {
    return project.resolve("images/options").resolve(module + ".options");
  }

  /** More options for the start that makes the AOT cache; most programs have no such file. */
  Path trainingOptions(Path project) {
    return project.resolve("images/options").resolve(module + ".training");
  }
}
