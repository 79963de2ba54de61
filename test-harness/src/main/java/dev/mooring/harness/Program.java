package dev.mooring.harness;

/** The project's programs. */
public enum Program {
  SANDBOX("kcp-sandbox-server", "kcp-sandbox"),
  SYNC_AGENT("sync-agent-service"),
  DEPENDENCY_CONTROLLER("dependency-controller-service"),
  DEPENDENCY_WEBHOOK("dependency-webhook-service");

  private final String module;
  private final String jar;

  Program(String module) {
    this(module, module);
  }

  Program(String module, String jar) {
    this.module = module;
    this.jar = jar;
  }

  public String module() {
    return module;
  }

  /** The name of the executable jar, without its ending. */
  public String jar() {
    return jar;
  }
}
