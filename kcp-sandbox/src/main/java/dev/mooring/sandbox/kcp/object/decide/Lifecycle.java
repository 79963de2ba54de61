package dev.mooring.sandbox.kcp.object.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Locale;

/**
 * When the controllers of a WorkspaceType work on a workspace of that type: before it is ready, or
 * once it is being deleted. Each such controller is named after its type: {@code <logical
 * cluster>:<name>}.
 */
public enum Lifecycle {
  INITIALIZING("initializer", "initialize"),
  TERMINATING("terminator", "terminate");

  /** Of a label's key and of its name part together. */
  private static final int LABEL_LENGTH_MAX = 63;

  private final String noun;
  private final String verb;

  Lifecycle(String noun, String verb) {
    this.noun = noun;
    this.verb = verb;
  }

  /** {@code initializer} or {@code terminator}; in a WorkspaceType's spec: whether it has one. */
  public String noun() {
    return noun;
  }

  /** In a WorkspaceType's {@code spec}: rules for what its controller may do. */
  public String permissionsField() {
    return noun + "Permissions";
  }

  /** The right on a WorkspaceType that its controller needs. */
  public String verb() {
    return verb;
  }

  /** {@code initializing} or {@code terminating}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The name of its virtual workspace: {@code initializingworkspaces}. */
  public String service() {
    return text() + "workspaces";
  }

  /** The group of a controller whose request its WorkspaceType's permissions allow. */
  public String groupOf(String controller) {
    return "system:kcp:" + noun + ":" + controller;
  }

  /** Those that are not done with a workspace, from a LogicalCluster's or a Workspace's status. */
  public List<String> pending(KubeObject object) {
    return Trees.texts(object.at("status", field()));
  }

  /** The list in a spec or a status. */
  public String field() {
    return noun + "s";
  }

  public String labelPrefix() {
    return noun + ".internal.kcp.io/";
  }

  /**
   * The key of the label that a LogicalCluster has for each pending controller; the value is the
   * hash.
   *
   * @param hash of the controller's name
   */
  public String labelKey(String hash) {
    return labelPrefix() + hash.substring(0, LABEL_LENGTH_MAX - labelPrefix().length());
  }
}
