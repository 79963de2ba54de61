package dev.mooring.depcontroller.control;

import dev.mooring.runtime.testing.TestWorkspaces;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Grounds for several tests, made before the first of them: whoever follows an export waits until
 * its endpoint slice is some seconds old.
 */
final class Grounds {
  private final TestWorkspaces workspaces;
  private final Queue<Ground> ahead = new ArrayDeque<>();

  private Grounds(TestWorkspaces workspaces) {
    this.workspaces = workspaces;
  }

  static Grounds ahead(TestWorkspaces workspaces, int tests) {
    var grounds = new Grounds(workspaces);
    for (int i = 0; i < tests; i++) {
      grounds.ahead.add(Ground.prepare(workspaces));
    }
    return grounds;
  }

  /** One that no test has had. */
  Ground next() {
    Ground made = ahead.poll();
    return made == null ? Ground.prepare(workspaces) : made;
  }
}
