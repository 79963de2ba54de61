package dev.mooring.sandbox.kcp.workspace.decide;

import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.kcp.object.decide.KcpNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeSet;
import java.util.function.Function;

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

  /** The type itself, then all it extends, each once, nearest first. */
  public Answer<List<KubeObject>> withExtended(KubeObject type) {
    SequencedMap<TypeReference, KubeObject> found = new LinkedHashMap<>();
    var open = new ArrayList<KubeObject>(List.of(type));
    while (!open.isEmpty()) {
      KubeObject next = open.removeFirst();
      if (found.putIfAbsent(TypeReference.to(next), next) != null) {
        continue;
      }
      if (found.size() > EXTENDS_MAX) {
        return new Answer.Refused<>(
            "workspace type " + TypeReference.to(type) + " extends too many types");
      }
      for (TypeReference base : TypeReference.listIn(next, "spec", "extend", "with")) {
        Optional<KubeObject> extended = lookup.apply(base);
        if (extended.isEmpty()) {
          return new Answer.Refused<>("unable to find inherited workspace type " + base.name());
        }
        open.add(extended.get());
      }
    }
    return new Answer.Known<>(List.copyOf(found.values()));
  }

  /**
   * Why a workspace of the child's type may not be in one of the parent's type; empty if it may.
   * Both lists are answers of {@link #withExtended}, the type itself first.
   */
  public static Optional<String> placementRefused(List<KubeObject> parent, List<KubeObject> child) {
    var refusals = new TreeSet<String>();
    for (KubeObject type : child) {
      limit(type, "limitAllowedParents", parent, child, Side.PARENT).ifPresent(refusals::add);
    }
    for (KubeObject type : parent) {
      limit(type, "limitAllowedChildren", child, parent, Side.CHILD).ifPresent(refusals::add);
    }
    return switch (refusals.size()) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(refusals.first());
      default -> Optional.of("[" + String.join(", ", refusals) + "]");
    };
  }

  private enum Side {
    PARENT,
    CHILD;

    private final String text = name().toLowerCase(Locale.ROOT);
  }

  private static Optional<String> limit(
      KubeObject limiting, String field, List<KubeObject> others, List<KubeObject> own, Side side) {
    TypeReference owner = TypeReference.to(own.getFirst());
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
                implemented.getFirst(),
                listed(implemented)));
  }

  private static String listed(List<TypeReference> types) {
    return "["
        + String.join(" ", types.stream().map(TypeReference::toString).sorted().toList())
        + "]";
  }

  /**
   * The initializers of a workspace: one for each type that asks for it, named by the logical
   * cluster that holds the type, and one for default bindings if any type has some; sorted.
   */
  public static List<String> initializers(List<KubeObject> types) {
    var initializers = new TreeSet<String>();
    for (KubeObject type : types) {
      if (Boolean.TRUE.equals(type.at("spec", "initializer"))) {
        initializers.add(initializerOf(type));
      }
      if (!type.list("spec", "defaultAPIBindings").isEmpty()) {
        initializers.add(KcpNames.BINDINGS_INITIALIZER);
      }
    }
    return List.copyOf(initializers);
  }

  /** {@code <logical cluster>:<name>}. */
  public static String initializerOf(KubeObject type) {
    return type.logicalCluster().map(Object::toString).orElse("") + ":" + type.name();
  }

  /** Exports that a workspace of these types is bound to from the start, each once, in order. */
  public static List<ExportReference> defaultBindings(List<KubeObject> types) {
    return types.stream()
        .flatMap(type -> type.list("spec", "defaultAPIBindings").stream())
        .map(Trees::mapOrEmpty)
        .map(WorkspaceTypes::exportReference)
        .distinct()
        .toList();
  }

  private static ExportReference exportReference(Map<String, Object> tree) {
    return new ExportReference(
        Trees.textOrEmpty(tree.get("path")), Trees.textOrEmpty(tree.get("export")));
  }
}
