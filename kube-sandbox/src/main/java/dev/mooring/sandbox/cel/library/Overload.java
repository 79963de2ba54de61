package dev.mooring.sandbox.cel.library;

import static java.util.Map.entry;

import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelFunctionOverload;
import dev.mooring.sandbox.cel.library.UserPermissions.GroupCheck;
import dev.mooring.sandbox.cel.library.UserPermissions.PathCheck;
import dev.mooring.sandbox.cel.library.UserPermissions.ResourceCheck;
import dev.mooring.sandbox.security.authorization.Decision;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One overload of a function, written as its signature: {@code isIP(string) bool}, or {@code (IP)
 * family() int} for a function that is called on a value. The signature is the overload's ID.
 *
 * @param declaration for the type checker
 * @param binding for the runtime
 */
record Overload(String function, CelOverloadDecl declaration, CelFunctionBinding binding) {
  private static final Pattern SIGNATURE =
      Pattern.compile(
          "(?:\\((?<target>\\S+)\\) )?(?<function>[\\w.]+)\\((?<arguments>.*)\\) (?<result>\\S+)");
  private static final Pattern GENERIC = Pattern.compile("(list|map|optional)\\((.*)\\)");

  /** The types without parameters, and the classes of their values. */
  private static final Map<String, Map.Entry<CelType, Class<?>>> TYPES =
      Map.ofEntries(
          type("A", TypeParamType.create("A"), Object.class),
          type("dyn", SimpleType.DYN, Object.class),
          type("bool", SimpleType.BOOL, Boolean.class),
          type("int", SimpleType.INT, Long.class),
          type("double", SimpleType.DOUBLE, Double.class),
          type("string", SimpleType.STRING, String.class),
          type("IP", OpaqueType.create("net.IP"), IpAddress.class),
          type("CIDR", OpaqueType.create("net.CIDR"), Cidr.class),
          type("URL", OpaqueType.create("kubernetes.URL"), Url.class),
          type("Quantity", OpaqueType.create("kubernetes.Quantity"), Quantity.class),
          type("Semver", OpaqueType.create("kubernetes.Semver"), Semver.class),
          type("NamedFormat", OpaqueType.create("kubernetes.NamedFormat"), NamedFormat.class),
          type("Authorizer", authorization("Authorizer"), UserPermissions.class),
          type("PathCheck", authorization("PathCheck"), PathCheck.class),
          type("GroupCheck", authorization("GroupCheck"), GroupCheck.class),
          type("ResourceCheck", authorization("ResourceCheck"), ResourceCheck.class),
          type("Decision", authorization("Decision"), Decision.class));

  private static Map.Entry<String, Map.Entry<CelType, Class<?>>> type(
      String name, CelType type, Class<?> values) {
    return entry(name, entry(type, values));
  }

  private static CelType authorization(String name) {
    return OpaqueType.create("kubernetes.authorization." + name);
  }

  /** The type that signatures call so. */
  static CelType type(String name) {
    Matcher generic = GENERIC.matcher(name);
    if (!generic.matches()) {
      return simple(name).getKey();
    }
    String[] parameters = generic.group(2).split(",", 2);
    return switch (generic.group(1)) {
      case "list" -> ListType.create(type(generic.group(2)));
      case "map" -> MapType.create(type(parameters[0]), type(parameters[1]));
      default -> OptionalType.create(type(generic.group(2)));
    };
  }

  private static Map.Entry<CelType, Class<?>> simple(String name) {
    return Objects.requireNonNull(TYPES.get(name), name);
  }

  /** A function of three arguments. */
  @FunctionalInterface
  interface Ternary<A, B, C> {
    Object apply(A a, B b, C c);
  }

  /** A function without arguments that always has the same value. */
  static Overload constant(String signature, Object value) {
    return of(signature, classes -> CelFunctionBinding.from(signature, classes, _ -> value));
  }

  @SuppressWarnings("unchecked") // the signature says what the body takes
  static <A> Overload unary(String signature, CelFunctionOverload.Unary<A> body) {
    return of(
        signature,
        classes -> CelFunctionBinding.from(signature, (Class<A>) classes.getFirst(), body));
  }

  @SuppressWarnings("unchecked") // the signature says what the body takes
  static <A, B> Overload binary(String signature, CelFunctionOverload.Binary<A, B> body) {
    return of(
        signature,
        classes ->
            CelFunctionBinding.from(
                signature, (Class<A>) classes.getFirst(), (Class<B>) classes.getLast(), body));
  }

  @SuppressWarnings("unchecked") // the signature says what the body takes
  static <A, B, C> Overload ternary(String signature, Ternary<A, B, C> body) {
    return of(
        signature,
        classes ->
            CelFunctionBinding.from(
                signature, classes, args -> body.apply((A) args[0], (B) args[1], (C) args[2])));
  }

  private static Overload of(
      String signature, Function<List<Class<?>>, CelFunctionBinding> binding) {
    Matcher parts = SIGNATURE.matcher(signature);
    if (!parts.matches()) {
      throw new IllegalArgumentException(signature);
    }
    String target = parts.group("target");
    List<String> names =
        Stream.concat(Stream.ofNullable(target), Stream.of(parts.group("arguments").split(", ")))
            .filter(name -> !name.isEmpty())
            .toList();
    List<CelType> arguments = names.stream().map(Overload::type).toList();
    CelType result = type(parts.group("result"));
    List<Class<?>> classes =
        names.stream()
            .<Class<?>>map(name -> name.startsWith("list(") ? List.class : simple(name).getValue())
            .toList();
    return new Overload(
        parts.group("function"),
        target == null
            ? CelOverloadDecl.newGlobalOverload(signature, result, arguments)
            : CelOverloadDecl.newMemberOverload(signature, result, arguments),
        binding.apply(classes));
  }
}
