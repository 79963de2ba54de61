package dev.mooring.depwebhook.index;

import dev.mooring.model.dependency.Reference;
import dev.mooring.model.dependency.ReferenceReader;
import dev.mooring.model.dependency.References;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.runtime.watch.InformerStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The dependents of one type in one workspace, by the names that they refer to, kept by a watch.
 * Holds of each object only the fields that the readers need. Thread-safe.
 */
public final class ReferenceIndex implements AutoCloseable {
  private static final String NAMES = "names";

  /** No name: under it are the objects of which nobody can tell what they refer to. */
  private static final String UNDECIDABLE = "?";

  private final Informer informer;
  private final IndexSpace.Share share;

  private ReferenceIndex(Informer informer, IndexSpace.Share share) {
    this.informer = informer;
    this.share = share;
  }

  /**
   * Begins to list and to watch; usable somewhat later.
   *
   * @param silenceMax after which it is not believed
   * @param share what it may hold; without enough of it the index stays unusable
   */
  static ReferenceIndex open(
      KubeClient workspace,
      ResourceType type,
      List<ReferenceReader> readers,
      FieldMask mask,
      Duration silenceMax,
      IndexSpace.Share share) {
    var spec =
        InformerSpec.of(type)
            .keeping(mask::apply)
            .within(share)
            .provenWithin(silenceMax)
            .indexedBy(NAMES, object -> names(readers, object));
    return new ReferenceIndex(Informer.start(workspace, spec, _ -> {}), share);
  }

  /**
   * The objects that may refer to the target, sorted by namespace and name; they may also refer to
   * another object of that name.
   */
  public List<KubeObject> candidates(Target target) {
    return Stream.concat(
            informer.cache().indexed(NAMES, target.key().name()).stream(),
            informer.cache().indexed(NAMES, UNDECIDABLE).stream())
        .sorted(Comparator.comparing(KubeObject::namespace).thenComparing(KubeObject::name))
        .distinct()
        .toList();
  }

  /** Whether its watch is open and nothing is missing that was there so long ago. */
  boolean current(Instant now, Duration silenceMax) {
    InformerStatus status = informer.status();
    return status.synced()
        && status.connected()
        && status.lastContact().filter(at -> !at.plus(silenceMax).isBefore(now)).isPresent();
  }

  /** Up to when nothing is missing; empty if that was never certain. */
  Optional<Instant> lastContact() {
    return informer.status().lastContact();
  }

  int objects() {
    return informer.cache().size();
  }

  Optional<String> problem() {
    return informer.lastFailure().map(Throwable::getMessage);
  }

  @Override
  public void close() {
    informer.close();
    share.close();
  }

  private static Set<String> names(List<ReferenceReader> readers, KubeObject object) {
    var names = new HashSet<String>();
    for (ReferenceReader reader : readers) {
      switch (reader.read(object)) {
        case References.Known(var all) -> all.stream().map(Reference::name).forEach(names::add);
        case References.Undecidable(_) -> names.add(UNDECIDABLE);
      }
    }
    return names;
  }
}
