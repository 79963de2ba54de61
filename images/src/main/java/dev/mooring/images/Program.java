package dev.mooring.images;

import java.nio.file.Path;

/** The programs that have an image. */
enum Program {
  SYNC_AGENT("sync-agent", "sync-agent-service", "sync-agent-service.jar"),
  DEPENDENCY_CONTROLLER(
      "dependency-controller",
      "dependency-controller-service",
      "dependency-controller-service.jar"),
  DEPENDENCY_WEBHOOK(
      "dependency-webhook", "dependency-webhook-service", "dependency-webhook-service.jar"),
  KCP_SANDBOX("kcp-sandbox", "kcp-sandbox-server", "kcp-sandbox.jar");

  private final String image;
  private final String module;
  private final String jar;

  Program(String image, String module, String jar) {
    this.image = image;
    this.module = module;
    this.jar = jar;
  }

  /** The last part of the image's name, as the chart uses it. */
  String image() {
    return image;
  }

  Path jar(Path project) {
    return project.resolve(module).resolve("target").resolve(jar);
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
