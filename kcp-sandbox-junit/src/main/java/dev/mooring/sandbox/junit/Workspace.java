package dev.mooring.sandbox.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A workspace of the tree that each test gets: of one test at its method, of all tests at their
 * class. At a parameter it is also the workspace of the client that is passed. Parents need not be
 * declared.
 */
@Target({ElementType.TYPE, ElementType.METHOD, ElementType.PARAMETER})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
@Repeatable(Workspace.List.class)
public @interface Workspace {
  /**
   * The path below the tree's root, such as {@code provider} or {@code consumers:acme}; empty for
   * the root itself.
   */
  String value() default "";

  /**
   * The WorkspaceType with the path of its workspace, such as {@code root:organization}; {@code
   * root:universal} if empty.
   */
  String type() default "";

  /** The shard that it is on, such as {@code shard-1}; kcp chooses if empty. */
  String shard() default "";

  /** Several workspaces. */
  @Target({ElementType.TYPE, ElementType.METHOD, ElementType.PARAMETER})
  @Retention(RetentionPolicy.RUNTIME)
  @Inherited
  @Documented
  @interface List {
    Workspace[] value();
  }
}
