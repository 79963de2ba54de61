package dev.mooring.syncagent.related.resolve;

import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.published.Locator;
import dev.mooring.syncagent.published.Primaries;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.resolve.decide.RelatedResolver;
import dev.mooring.syncagent.related.resolve.decide.Resolution;
import java.util.List;
import java.util.Set;

/** Resolves entries against the caches. Thread-safe. */
public final class EntryResolver {
  private final RelatedCaches caches;

  public EntryResolver(RelatedCaches caches) {
    this.caches = caches;
  }

  /**
   * Which objects the entry names; none before the primary has a copy.
   *
   * @throws KubeFailure if discovery fails
   */
  public Resolution resolve(RelatedResource entry, Primary primary, KubeClient workspace) {
    if (primary.onService().isEmpty()) {
      return new Resolution(
          List.of(), Set.of(), new Resolution.Outcome.Pending("the primary has no copy"));
    }
    Side origin = entry.origin();
    return RelatedResolver.resolve(
        entry,
        new Primaries(
            primary.key().cluster(), primary.path(), primary.inKcp(), primary.onService().get()),
        new RelatedResolver.Scopes(
            caches.type(origin, entry.originalType(), workspace).scope(),
            caches.type(origin.other(), entry.copyType(), workspace).scope()),
        caches.candidates(origin, entry.originalType(), primary.key().cluster()));
  }

  /** Whether labels of Namespaces in kcp decide which objects the entry names. */
  public static boolean selectsNamespaces(RelatedResource entry) {
    return entry.origin() == Side.KCP
        && entry.namespace().filter(Locator.Selector.class::isInstance).isPresent();
  }
}
