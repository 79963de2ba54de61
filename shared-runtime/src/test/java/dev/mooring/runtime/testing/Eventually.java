package dev.mooring.runtime.testing;

import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits for what a kcp and its clients do in their own time: {@link TestWorkspaces#PATIENCE}. */
public final class Eventually {
  private Eventually() {}

  public static ConditionFactory await() {
    return Awaitility.await().atMost(TestWorkspaces.PATIENCE);
  }

  /**
   * @param what of a test that fails
   */
  public static ConditionFactory await(String what) {
    return Awaitility.await(what).atMost(TestWorkspaces.PATIENCE);
  }
}
