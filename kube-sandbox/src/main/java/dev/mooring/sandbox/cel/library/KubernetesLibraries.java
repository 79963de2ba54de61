package dev.mooring.sandbox.cel.library;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.types.CelType;
import dev.cel.runtime.CelFunctionBinding;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** All functions that Kubernetes adds to the language. */
public final class KubernetesLibraries {
  /** The type of the variable {@code authorizer}. */
  public static final CelType AUTHORIZER = Overload.type("Authorizer");

  /** The type of the variable {@code authorizer.requestResource}. */
  public static final CelType REQUEST_RESOURCE = Overload.type("ResourceCheck");

  private static final List<Overload> EVERYWHERE =
      Stream.of(
              Url.FUNCTIONS,
              IpFunctions.ALL,
              RegexFunctions.ALL,
              NamedFormat.FUNCTIONS,
              Semver.FUNCTIONS,
              QuantityFunctions.ALL,
              ListFunctions.ALL,
              List.of(StringFormat.FUNCTION),
              AuthorizerFunctions.ALL)
          .flatMap(List::stream)
          .toList();

  /** For expressions that make patches in addition. */
  private static final List<Overload> PATCHES =
      List.of(
          Overload.unary(
              "jsonpatch.escapeKey(string) string",
              (String key) -> key.replace("~", "~0").replace("/", "~1")));

  private KubernetesLibraries() {}

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
    return declarations(PATCHES);
  }

  /** For the runtime. */
  public static List<CelFunctionBinding> bindings() {
    return byName(Stream.concat(EVERYWHERE.stream(), PATCHES.stream()).toList()).entrySet().stream()
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
