package dev.mooring.sandbox.api.registry;

/**
 * Extensions by which the schema of a built-in resource says how Go reads and writes its values,
 * and what OpenAPI calls them. They are ours, and never leave the server.
 */
public final class TypedSchema {
  /** The Go type of a scalar, such as {@code microtime}. */
  public static final String GO_TYPE = "x-mooring-go-type";

  /** What Go writes for a field that was not set, where it writes anything. */
  public static final String ZERO = "x-mooring-zero";

  /** The name of a struct, for messages. */
  public static final String STRUCT = "x-mooring-struct";

  /** Where OpenAPI puts the struct, such as {@code io.k8s.api.core.v1}; empty if nowhere. */
  public static final String PACKAGE = "x-mooring-package";

  /** Present on a struct that OpenAPI requires; Go writes the others as well. */
  public static final String REQUIRED = "x-mooring-required";

  /** Present on a field that OpenAPI does not require though Go always writes it. */
  public static final String OPTIONAL = "x-mooring-optional";

  private TypedSchema() {}
}
