package dev.mooring.sandbox.cel.library;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelFunctionBinding;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All functions that Kubernetes adds to the language. */
public final class KubernetesLibraries {
  /** The type of the variable {@code authorizer}. */
  public static final CelType AUTHORIZER = AuthorizerFunctions.AUTHORIZER.type();

  /** The type of the variable {@code authorizer.requestResource}. */
  public static final CelType REQUEST_RESOURCE = AuthorizerFunctions.RESOURCE.type();

  private static final List<Overload> EVERYWHERE =
      Stream.of(
              UrlFunctions.ALL,
              IpFunctions.ALL,
              RegexFunctions.ALL,
              FormatFunctions.ALL,
              SemverFunctions.ALL,
              QuantityFunctions.ALL,
              ListFunctions.ALL,
              StringFormat.ALL,
              AuthorizerFunctions.ALL)
          .flatMap(List::stream)
          .toList();

  private static final Set<String> ACCESSORS =
      Set.of(
          "masked",
          "prefixLength",
          "family",
          "ip",
          "isUnspecified",
          "isLoopback",
          "isLinkLocalMulticast",
          "isLinkLocalUnicast",
          "isGlobalUnicast",
          "asInteger",
          "isInteger",
          "asApproximateFloat",
          "isGreaterThan",
          "isLessThan",
          "compareTo",
          "add",
          "sub",
          "major",
          "minor",
          "patch",
          "getScheme",
          "getHostname",
          "getHost",
          "getPort",
          "getEscapedPath",
          "getQuery");

  private KubernetesLibraries() {}

  /** Whether the function reads a part of a value, of any size. */
  public static boolean isAccessor(String function) {
    return ACCESSORS.contains(function);
  }

  /** Whether a function of lists is there for lists of such elements. */
  public static boolean accepts(String function, CelType element) {
    return ListFunctions.accepts(function, element);
  }

  /** For the type checker, of all expressions. */
  public static List<CelFunctionDecl> declarations() {
    return declarations(EVERYWHERE);
  }

  /** For the type checker, of expressions that make patches in addition. */
  public static List<CelFunctionDecl> patchDeclarations() {
    return declarations(JsonPatchFunctions.ALL);
  }

  /** For the runtime. */
  public static List<CelFunctionBinding> bindings() {
    return byName(Stream.concat(EVERYWHERE.stream(), JsonPatchFunctions.ALL.stream()).toList())
        .entrySet()
        .stream()
        .<CelFunctionBinding>flatMap(function ->
            CelFunctionBinding.fromOverloads(
                function.getKey(), function.getValue().stream().map(Overload::binding).toList())
                .stream())
        .toList();
  }

  private static List<CelFunctionDecl> declarations(List<Overload> overloads) {
    return byName(overloads).entrySet().stream()
        .map(function ->
            CelFunctionDecl.newFunctionDeclaration(
                function.getKey(),
                function.getValue().stream().map(Overload::declaration).toList()))
        .toList();
  }

  private static Map<String, List<Overload>> byName(List<Overload> overloads) {
    return overloads.stream().collect(groupingBy(Overload::function, TreeMap::new, toList()));
  }
}
