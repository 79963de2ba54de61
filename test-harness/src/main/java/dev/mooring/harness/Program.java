package dev.mooring.harness;

/** The project's programs: module and jar have the same name. */
public enum Program {
  SANDBOX("kcp-sandbox"),
  SYNC_AGENT("sync-agent-service"),
  DEPENDENCY_CONTROLLER("dependency-controller-service"),
  DEPENDENCY_WEBHOOK("dependency-webhook-service");

  private final String module;

  Program(String module) {
    this.module = module;
  }

  public String module() {
    return module;
  }
}
