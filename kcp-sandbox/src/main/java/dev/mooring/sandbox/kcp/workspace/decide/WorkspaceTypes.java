package dev.mooring.sandbox.kcp.workspace.decide;

import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import dev.mooring.sandbox.kcp.object.decide.Lifecycle;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Resolves WorkspaceTypes: the type that a reference means, the types it extends, and which types
 * may contain which. Types are found through a function on {@code path:name}.
 */
public record WorkspaceTypes(Function<TypeReference, Optional<KubeObject>> lookup) {
  /** Longest chain of types that extend each other. */
  private static final int EXTENDS_MAX = 100;

  public Optional<KubeObject> find(TypeReference reference) {
    return lookup.apply(reference);
  }

  /** An answer, or kcp's message why there is none. */
  public sealed interface Answer<T> {
    /** Throws {@link IllegalStateException} for a refusal: callers that retry. */
    default T orThrow() {
      return switch (this) {
        case Known<T>(T value) -> value;
        case Refused<T>(String message) -> throw new IllegalStateException(message);
      };
    }

    record Known<T>(T value) implements Answer<T> {}

    record Refused<T>(String message) implements Answer<T> {}
  }

  /**
   * The type that is meant in a workspace: with a path exactly that one, without a path the nearest
   * of that name upwards, at last in root.
   *
   * @param from the canonical path of the workspace in which the reference stands
   */
  public Answer<KubeObject> resolve(TypeReference reference, WorkspacePath from) {
    if (!reference.path().isEmpty()) {
      return lookup
          .apply(reference)
          .<Answer<KubeObject>>map(Answer.Known::new)
          .orElseGet(() ->
              new Answer.Refused<>(
                  "Internal error occurred: workspacetypes.tenancy.kcp.io \""
                      + reference
                      + "\" not found"));
    }
    for (Optional<WorkspacePath> here = Optional.of(from); here.isPresent(); here = above(here)) {
      Optional<KubeObject> found =
          lookup.apply(new TypeReference(here.get().value(), reference.name()));
      if (found.isPresent()) {
        return new Answer.Known<>(found.get());
      }
    }
    return new Answer.Refused<>("workspace type \"" + reference.name() + "\" cannot be resolved");
  }

  private static Optional<WorkspacePath> above(Optional<WorkspacePath> here) {
    WorkspacePath path = here.orElseThrow();
    return path.parent()
        .or(() ->
            path.equals(WorkspacePath.ROOT) ? Optional.empty() : Optional.of(WorkspacePath.ROOT));
  }

  /**
   * All types that the type extends, each once and before those that it extends itself; at last the
   * type itself.
   */
  public Answer<List<KubeObject>> withExtended(KubeObject type) {
    var found = new ArrayList<KubeObject>();
    Optional<String> refusal = extend(type, new ArrayList<>(), new HashSet<>(), found);
    found.add(type);
    return refusal
        .<Answer<List<KubeObject>>>map(Answer.Refused::new)
        .orElseGet(() -> new Answer.Known<>(List.copyOf(found)));
  }

  /**
   * Why not all bases of a type can be found.
   *
   * @param chain of types that extend each other, down to this one
   * @param seen in all chains
   */
  private Optional<String> extend(
      KubeObject type, List<TypeReference> chain, Set<TypeReference> seen, List<KubeObject> found) {
    chain.add(TypeReference.to(type));
    seen.add(TypeReference.to(type));
    if (chain.size() > EXTENDS_MAX) {
      return Optional.of("workspace type " + chain.getFirst() + " extends too many types");
    }
    WorkspacePath here = new WorkspacePath(TypeReference.to(type).path());
    for (TypeReference base : TypeReference.listIn(type, "spec", "extend", "with")) {
      if (!(resolve(base, here) instanceof Answer.Known<KubeObject>(KubeObject extended))) {
        return Optional.of("unable to find inherited workspace type " + base.name());
      }
      TypeReference qualified = TypeReference.to(extended);
      int cycle = chain.indexOf(qualified);
      if (cycle >= 0) {
        return Optional.of(
            "circular dependency detected in workspace type "
                + qualified
                + ": "
                + chain.subList(cycle, chain.size()).stream()
                    .map(TypeReference::toString)
                    .collect(Collectors.joining(" -> ")));
      }
      if (seen.contains(qualified)) {
        continue;
      }
      found.add(extended);
      Optional<String> refusal = extend(extended, chain, seen, found);
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    chain.removeLast();
    return Optional.empty();
  }

  /**
   * Why a workspace of the child's type may not be in one of the parent's type; empty if it may.
   * Both lists are answers of {@link #withExtended}, the type itself last.
   */
  public static Optional<String> placementRefused(List<KubeObject> parent, List<KubeObject> child) {
    return refused(child, "limitAllowedParents", parent, Side.PARENT)
        .or(() -> refused(parent, "limitAllowedChildren", child, Side.CHILD));
  }

  private static Optional<String> refused(
      List<KubeObject> own, String field, List<KubeObject> others, Side side) {
    List<String> refusals =
        own.stream().flatMap(type -> limit(type, field, others, own, side).stream()).toList();
    return refusals.isEmpty() ? Optional.empty() : Optional.of(GoText.aggregate(refusals));
  }

  private enum Side {
    PARENT,
    CHILD;

    private final String text = name().toLowerCase(Locale.ROOT);
  }

  private static Optional<String> limit(
      KubeObject limiting, String field, List<KubeObject> others, List<KubeObject> own, Side side) {
    TypeReference owner = TypeReference.to(own.getLast());
    if (Boolean.TRUE.equals(limiting.at("spec", field, "none"))) {
      return Optional.of("workspace type " + owner + " cannot have any " + side.text);
    }
    List<TypeReference> allowed = TypeReference.listIn(limiting, "spec", field, "types");
    List<TypeReference> implemented = others.stream().map(TypeReference::to).toList();
    if (allowed.isEmpty() || implemented.stream().anyMatch(allowed::contains)) {
      return Optional.empty();
    }
    TypeReference qualified = TypeReference.to(limiting);
    return Optional.of(
        ("workspace type %s%s only allows %s %s workspaces, but %s type %s only " + "implements %s")
            .formatted(
                owner,
                qualified.equals(owner) ? "" : " extends " + qualified + ", which",
                listed(allowed),
                side.text,
                side.text,
                implemented.getLast(),
                listed(implemented)));
  }

  private static String listed(List<TypeReference> types) {
    return "["
        + String.join(" ", types.stream().map(TypeReference::toString).sorted().toList())
        + "]";
  }

  /**
   * The initializers of a workspace: one for each type that asks for it, then one for default
   * bindings if any type has some.
   */
  public static List<String> initializers(List<KubeObject> types) {
    var initializers = new ArrayList<>(controllers(Lifecycle.INITIALIZING, types));
    if (types.stream().anyMatch(type -> !type.list("spec", "defaultAPIBindings").isEmpty())) {
      initializers.add(KcpNames.BINDINGS_INITIALIZER);
    }
    return List.copyOf(initializers);
  }

  /** The terminators of a workspace: one for each type that asks for it. */
  public static List<String> terminators(List<KubeObject> types) {
    return controllers(Lifecycle.TERMINATING, types);
  }

  private static List<String> controllers(Lifecycle lifecycle, List<KubeObject> types) {
    return types.stream()
        .filter(type -> Boolean.TRUE.equals(type.at("spec", lifecycle.noun())))
        .map(WorkspaceTypes::controllerOf)
        .toList();
  }

  /** {@code <logical cluster>:<name>}: the name of a type's initializer and of its terminator. */
  public static String controllerOf(KubeObject type) {
    return clusterOf(type) + ":" + type.name();
  }

  private static String clusterOf(KubeObject type) {
    return type.logicalCluster().map(Object::toString).orElse("");
  }

  /**
   * Exports that a workspace of these types is bound to from the start, each once, in order. One
   * without a path is in the logical cluster of the type that names it.
   */
  public static List<ExportReference> defaultBindings(List<KubeObject> types) {
    return types.stream()
        .flatMap(type ->
            defaultBindings(type).stream()
                .map(export ->
                    export.path().isEmpty()
                        ? new ExportReference(clusterOf(type), export.name())
                        : export))
        .distinct()
        .toList();
  }

  /** As the type names them. */
  public static List<ExportReference> defaultBindings(KubeObject type) {
    return type.list("spec", "defaultAPIBindings").stream()
        .map(Trees::mapOrEmpty)
        .map(tree -> new ExportReference(Trees.text(tree, "path"), Trees.text(tree, "export")))
        .toList();
  }
}
