package dev.mooring.sandbox.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives tests a kcp, and every test fresh workspaces of its own.
 *
 * <pre>{@code
 * @WithKcp
 * class WidgetsTest {
 *   @Test
 *   void aConsumerBinds(
 *       @Workspace("provider") KubernetesClient provider,
 *       @Workspace("consumer") KubernetesClient consumer) { … }
 * }
 * }</pre>
 *
 * <p>Parameters of tests, lifecycle methods and constructors:
 *
 * <ul>
 *   <li>{@code KubernetesClient} of fabric8, if it is on the class path, for a {@link Workspace};
 *       without that annotation for the root of the test's tree. It is closed after the test.
 *   <li>{@link KcpConnection}, likewise: URL, certificate authority, credentials and kubeconfig.
 *   <li>{@link WorkspaceTree}: the paths of the test's workspaces, and further ones.
 *   <li>{@link KcpShards}: the shards of this kcp.
 *   <li>{@link dev.mooring.sandbox.fault.FaultInjector} and {@link dev.mooring.sandbox.KcpSandbox}:
 *       snapshots, shards that stop; of a class with its own sandbox.
 * </ul>
 *
 * <p>The kcp is a sandbox in this JVM, shared by all tests and stopped after the last. Variables of
 * the environment choose another one for the same tests: {@code KCP_KUBECONFIG} names the
 * kubeconfig of a kcp that runs already, {@code KCP_IMAGE} an image of kcp, such as {@code
 * ghcr.io/kcp-dev/kcp:v0.32.3}, for Testcontainers. Test classes may run in parallel.
 *
 * <p>The workspaces are deleted after the test. Those of a failed test are kept, and its failure
 * says where they are.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@ExtendWith(KcpExtension.class)
public @interface WithKcp {
  /** Which kcp the tests can run on. */
  Kcp on() default Kcp.FROM_ENVIRONMENT;

  /** Who shares a sandbox. */
  Sharing sandbox() default Sharing.JVM;

  /**
   * How many shards the tests need. A sandbox has as many; on a real kcp with fewer they are
   * skipped.
   */
  int shards() default 1;

  /** Which kcp tests can run on. */
  enum Kcp {
    /** That of the environment; without one a sandbox. */
    FROM_ENVIRONMENT,
    /** A sandbox, in any environment. */
    SANDBOX,
    /**
     * A real one: that of the environment; without one kcp's image, and without a container engine
     * the tests are skipped.
     */
    REAL
  }

  /** Who shares a sandbox. */
  enum Sharing {
    /** All tests of this JVM that need as many shards. */
    JVM,
    /** The tests of one class: it starts and stops with the class. */
    CLASS
  }
}
