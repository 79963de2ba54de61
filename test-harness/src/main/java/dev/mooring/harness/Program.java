package dev.mooring.harness;

/** The project's programs. */
public enum Program {
  SANDBOX("kcp-sandbox-server", "kcp-sandbox", "kcp-sandbox.jar"),
  SYNC_AGENT("sync-agent-service"),
  DEPENDENCY_CONTROLLER("dependency-controller-service"),
  DEPENDENCY_WEBHOOK("dependency-webhook-service");

  private final String module;
  private final String label;
  private final String jar;

  Program(String module) {
    this(module, module, module + "/" + module + ".jar");
  }

  Program(String module, String label, String jar) {
    this.module = module;
    this.label = label;
    this.jar = jar;
  }

  public String module() {
    return module;
  }

  /** The name of its process and log. */
  public String label() {
    return label;
  }

  /**
   * The executable jar, below the module's {@code target}. That of a service has its libraries as
   * files: threads that load classes from jars within a jar can wait for each other for good.
   */
  String jar() {
    return jar;
  }
}
