package dev.mooring.syncagent.related.decide;

import dev.mooring.languages.TemplateFailure;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.Locator;
import dev.mooring.syncagent.published.Primaries;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Scope;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.Resolution.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Resolves an entry to pairs of names: first namespaces, then names in each of them. References and
 * templates are evaluated on both sides and paired in order; selectors only on the origin's side,
 * and their rewrite gives the other.
 */
public final class RelatedResolver {
  /** More objects for one primary are taken for a mistake. */
  public static final int PAIRS_MAX = 1000;

  /** What a template prints for a field that is not there. */
  private static final String NO_VALUE = "<no value>";

  private static final int NAME_MAX = 253;
  private static final int SHOWN_MAX = 80;
  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");

  private final RelatedResource entry;
  private final Primaries primaries;
  private final Scopes scopes;
  private final Candidates candidates;
  private final Side origin;
  private final Set<LabelQuery> queries = new LinkedHashSet<>();

  /** Objects on the origin's side that a selector can match, from caches. */
  @FunctionalInterface
  public interface Candidates {
    /** Of a cluster-scoped type the namespace is empty. */
    List<KubeObject> objects(ResourceType type, String namespace);
  }

  /** Whether the type has namespaces, on either side. */
  public record Scopes(Scope original, Scope copy) {}

  private record Names(String original, String copy) {}

  private RelatedResolver(
      RelatedResource entry, Primaries primaries, Scopes scopes, Candidates candidates) {
    this.entry = entry;
    this.primaries = primaries;
    this.scopes = scopes;
    this.candidates = candidates;
    this.origin = entry.origin();
  }

  public static Resolution resolve(
      RelatedResource entry, Primaries primaries, Scopes scopes, Candidates candidates) {
    return new RelatedResolver(entry, primaries, scopes, candidates).resolve();
  }

  private Resolution resolve() {
    try {
      Optional<List<Names>> namespaces = namespaces();
      if (namespaces.isEmpty()) {
        return pending("the primary does not name a namespace yet");
      }
      var pairs = new TreeSet<RelatedPair>();
      for (Names namespace : namespaces.get()) {
        Optional<List<Names>> names = names(namespace.original());
        if (names.isEmpty()) {
          return pending("the primary does not name an object yet");
        }
        names.get().forEach(name -> pairs.add(pair(namespace, name)));
        if (pairs.size() > PAIRS_MAX) {
          return unclear("RelatedTooMany", "more than " + PAIRS_MAX + " objects are meant");
        }
      }
      return new Resolution(List.copyOf(pairs), queries, new Outcome.Complete());
    } catch (Unusable e) {
      return unclear(e.reason, String.valueOf(e.getMessage()));
    } catch (TemplateFailure e) {
      return unclear("RelatedUnresolvable", String.valueOf(e.getMessage()));
    }
  }

  /** Empty while the primary does not name any. */
  private Optional<List<Names>> namespaces() {
    if (scopes.original() == Scope.CLUSTER && scopes.copy() == Scope.CLUSTER) {
      return Optional.of(List.of(new Names("", "")));
    }
    if (entry.namespace().isEmpty()) {
      return Optional.of(List.of(ownNamespaces()));
    }
    return find(entry.namespace().get(), NAMESPACES, "", "namespaces", _ -> Optional.empty());
  }

  private Names ownNamespaces() {
    String original = primaries.on(origin).namespace();
    String copy = primaries.on(origin.other()).namespace();
    if (original.isEmpty() && scopes.original() == Scope.NAMESPACED
        || copy.isEmpty() && scopes.copy() == Scope.NAMESPACED) {
      throw new Unusable(
          "RelatedNamespaceMissing",
          "the primary is cluster-scoped: the entry has to say object.namespace");
    }
    return new Names(original, copy);
  }

  private Optional<List<Names>> names(String namespace) {
    String within = scopes.original() == Scope.CLUSTER ? "" : namespace;
    return find(entry.name(), entry.originalType(), within, "names", Optional::of);
  }

  /**
   * @param what the locator finds, in the plural
   * @param readable by the template of a selector's rewrite
   */
  private Optional<List<Names>> find(
      Locator locator,
      ResourceType type,
      String within,
      String what,
      Function<KubeObject, Optional<KubeObject>> readable) {
    return switch (locator) {
      case Locator.Selector(var labels, var rewrite) -> {
        LabelSelector selector = labels.render(primaries);
        queries.add(
            new LabelQuery(
                origin, type, ObjectRef.clusterOn(origin, primaries.cluster()), within, selector));
        yield Optional.of(
            candidates.objects(type, within).stream()
                .filter(object -> selector.matches(object.labels()))
                .map(object ->
                    new Names(
                        object.name(),
                        rewrite.rewrite(object.name(), primaries, readable.apply(object))))
                .toList());
      }
      case Locator.Reference reference -> pairwise(reference, what);
      case Locator.Template template -> rendered(template);
    };
  }

  private Optional<List<Names>> pairwise(Locator.Reference reference, String what) {
    List<String> originals = reference.values(origin, primaries);
    if (originals.isEmpty()) {
      return Optional.empty();
    }
    List<String> copies = reference.values(origin.other(), primaries);
    if (originals.size() != copies.size()) {
      throw new Unusable(
          "RelatedUnequalLists",
          "%s has %s %s where the originals are and %s on the other side"
              .formatted(reference.path(), originals.size(), what, copies.size()));
    }
    var names = new ArrayList<Names>();
    for (int i = 0; i < originals.size(); i++) {
      if (!originals.get(i).isEmpty() && !copies.get(i).isEmpty()) {
        names.add(new Names(originals.get(i), copies.get(i)));
      }
    }
    return Optional.of(names);
  }

  private Optional<List<Names>> rendered(Locator.Template template) {
    String original = template.render(origin, primaries);
    String copy = template.render(origin.other(), primaries);
    return isMissing(original) || isMissing(copy)
        ? Optional.empty()
        : Optional.of(List.of(new Names(original, copy)));
  }

  private static boolean isMissing(String rendered) {
    return rendered.isEmpty() || rendered.contains(NO_VALUE);
  }

  private RelatedPair pair(Names namespace, Names name) {
    return new RelatedPair(
        ref(origin, entry.originalType(), scopes.original(), namespace.original(), name.original()),
        ref(origin.other(), entry.copyType(), scopes.copy(), namespace.copy(), name.copy()));
  }

  private ObjectRef ref(Side side, ResourceType type, Scope scope, String namespace, String name) {
    usable(name, "name");
    if (scope == Scope.NAMESPACED) {
      usable(namespace, "namespace");
    }
    return ObjectRef.of(
        side, type, primaries.cluster(), scope == Scope.CLUSTER ? "" : namespace, name);
  }

  /** Refuses what no server accepts; all else the server validates. */
  private static void usable(String name, String what) {
    if (name.isEmpty()) {
      throw new Unusable("RelatedNameInvalid", "the " + what + " of an object is empty");
    }
    if (name.length() > NAME_MAX) {
      throw new Unusable(
          "RelatedNameInvalid",
          "the %s \"%s...\" has %s characters, %s are possible"
              .formatted(what, name.substring(0, SHOWN_MAX), name.length(), NAME_MAX));
    }
    if (name.startsWith(".") || name.contains("/") || name.contains("%") || name.contains(" ")) {
      throw new Unusable(
          "RelatedNameInvalid",
          "\"%s\" is not a valid %s"
              .formatted(name.substring(0, Math.min(name.length(), SHOWN_MAX)), what));
    }
  }

  private Resolution pending(String message) {
    return new Resolution(List.of(), queries, new Outcome.Pending(message));
  }

  private Resolution unclear(String reason, String message) {
    return new Resolution(List.of(), queries, new Outcome.Unclear(reason, message));
  }

  /** Ends the resolution of an entry. */
  private static final class Unusable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String reason;

    Unusable(String reason, String message) {
      super(message);
      this.reason = reason;
    }
  }
}
