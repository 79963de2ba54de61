package dev.mooring.syncagent.publish;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.syncagent.clusters.CopiedKind;
import dev.mooring.syncagent.clusters.ServiceObjects;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.publish.decide.Recheck;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compiles templates and schemas of PublishedResources, once for each version of their objects. Of
 * a type without a CRD no watch reports changes: the caller says when it may have changed.
 * Thread-safe.
 */
final class PublicationCompiler {
  private static final Logger LOG = LoggerFactory.getLogger(PublicationCompiler.class);

  private final ServiceObjects crds;
  private final String defaultGroup;
  private final ServedTypes types;
  private final RecentlyDeletedCrds deletedCrds;
  private final ConcurrentHashMap<String, Compiled> compiled = new ConcurrentHashMap<>();

  /** PublishedResources whose type has no CRD and may be served in another form by now. */
  private final Set<String> outdatedTypes = ConcurrentHashMap.newKeySet();

  /** PublishedResources whose type could not be read when it was last tried. */
  private final Set<String> unreadableTypes = ConcurrentHashMap.newKeySet();

  /**
   * @param crdVersion empty for a type without a CRD
   */
  private record Compiled(String uid, long generation, String crdVersion, Publication publication) {
    boolean isOf(KubeObject resource, String definition) {
      return uid.equals(resource.uid())
          && generation == resource.generation()
          && crdVersion.equals(definition);
    }
  }

  PublicationCompiler(
      ServiceObjects crds, KubeReader service, String defaultGroup, InstantSource clock) {
    this.crds = crds;
    this.defaultGroup = defaultGroup;
    this.types = new ServedTypes(service);
    this.deletedCrds = new RecentlyDeletedCrds(clock);
  }

  Publication compile(KubeObject resource) {
    String name = resource.name();
    CopiedKind kind = CopiedKind.of(resource);
    Optional<KubeObject> crd = definition(name, kind);
    String crdVersion = crd.map(object -> object.uid() + object.generation()).orElse("");
    Optional<Publication> known =
        Optional.ofNullable(compiled.get(name))
            .filter(before -> before.isOf(resource, crdVersion))
            .map(Compiled::publication);
    if (known.isPresent() && !(crd.isEmpty() && outdatedTypes.remove(name))) {
      return known.get();
    }
    Publication publication;
    try {
      publication = Publication.of(resource, crd.or(() -> withoutCrd(kind)), defaultGroup);
    } catch (KubeFailure e) {
      return unreadable(name, kind, known, e);
    }
    unreadableTypes.remove(name);
    if (publication instanceof Publication.Rejected rejected
        && rejected.reason().equals(Publication.NOT_FOUND)) {
      compiled.remove(name);
    } else {
      compiled.put(
          name, new Compiled(resource.uid(), resource.generation(), crdVersion, publication));
    }
    return publication;
  }

  private Optional<KubeObject> definition(String name, CopiedKind kind) {
    List<KubeObject> definitions = crds.indexed(PublicationReconciler.BY_KIND, kind.toString());
    Optional<KubeObject> crd =
        definitions.stream().filter(candidate -> !candidate.deleting()).findFirst();
    Compiled last = compiled.get(name);
    if (crd.isEmpty()
        && (!definitions.isEmpty() || (last != null && !last.crdVersion().isEmpty()))) {
      deletedCrds.going(kind);
    }
    return crd;
  }

  private Optional<KubeObject> withoutCrd(CopiedKind kind) {
    return deletedCrds.mayBeDescribed(kind)
        ? Optional.empty()
        : types.find(kind.group(), kind.kind());
  }

  private Publication unreadable(
      String name, CopiedKind kind, Optional<Publication> known, KubeFailure cause) {
    if (unreadableTypes.add(name)) {
      LOG.warn(
          "Type of PublishedResource {} cannot be read; retrying: {}", name, cause.getMessage());
    }
    if (known.isPresent()) {
      outdatedTypes.add(name);
      return known.get();
    }
    return new Publication.Unreadable(
        ("What the service cluster serves as kind %s of group \"%s\" cannot be read at"
                + " the moment, which is tried again: %s")
            .formatted(kind.kind(), kind.group(), cause.getMessage()));
  }

  boolean isUnreadable(String name) {
    return unreadableTypes.contains(name);
  }

  /** Types without a CRD are read again at the next compilation. */
  void forgetTypes() {
    compiled.clear();
  }

  /** False if a watch reports changes of the type, because it has a CRD. */
  boolean typeMayHaveChanged(String name) {
    Compiled known = compiled.get(name);
    return known != null && known.crdVersion().isEmpty() && outdatedTypes.add(name);
  }

  /** The next compilation reads the type again. */
  void expire(String name) {
    outdatedTypes.add(name);
  }

  Recheck.TypeSource typeSource(String name) {
    if (outdatedTypes.contains(name)) {
      return Recheck.TypeSource.OLD_DESCRIPTION;
    }
    Compiled known = compiled.get(name);
    return known != null && known.crdVersion().isEmpty()
        ? Recheck.TypeSource.DESCRIPTION
        : Recheck.TypeSource.DEFINITION;
  }

  void forget(String name) {
    compiled.remove(name);
    outdatedTypes.remove(name);
    unreadableTypes.remove(name);
  }
}
