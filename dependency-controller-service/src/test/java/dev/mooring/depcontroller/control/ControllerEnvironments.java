package dev.mooring.depcontroller.control;

import dev.mooring.runtime.testing.TestWorkspaces;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * ControllerEnvironments for several tests, made before the first of them: whoever follows an
 * export waits until its endpoint slice is some seconds old.
 */
final class ControllerEnvironments {
  private final TestWorkspaces workspaces;
  private final Queue<ControllerEnvironment> ahead = new ArrayDeque<>();

  private ControllerEnvironments(TestWorkspaces workspaces) {
    this.workspaces = workspaces;
  }

  static ControllerEnvironments ahead(TestWorkspaces workspaces, int tests) {
    var grounds = new ControllerEnvironments(workspaces);
    for (int i = 0; i < tests; i++) {
      grounds.ahead.add(ControllerEnvironment.prepare(workspaces));
    }
    return grounds;
  }

  /** One that no test has had. */
  ControllerEnvironment next() {
    ControllerEnvironment made = ahead.poll();
    return made == null ? ControllerEnvironment.prepare(workspaces) : made;
  }
}
