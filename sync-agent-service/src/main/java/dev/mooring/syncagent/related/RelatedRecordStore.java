package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.runtime.watch.PendingWrites;
import dev.mooring.syncagent.clusters.ServiceView;
import dev.mooring.syncagent.clusters.TypeWatches;
import dev.mooring.syncagent.content.decide.ConditionalPatch;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.ObjectRef;
import dev.mooring.syncagent.related.decide.OtherAgents;
import dev.mooring.syncagent.related.decide.RecordOwner;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Records of all copies of related objects: one Secret in the agent's namespace for each copy and
 * primary. Reads come from a watch on these Secrets and this process's own writes; writes carry the
 * version that was read. Thread-safe.
 */
public final class RelatedRecordStore {
  public static final ResourceType SECRETS = ResourceType.core("secrets");

  /** What records are found by. */
  private enum Index {
    PRIMARY(record -> primary(record.owner().primaryType(), record.owner().primary())),
    PRIMARY_TYPE(record -> record.owner().primaryType()),
    COPY(record -> text(record.copy())),
    ORIGINAL(record -> text(record.original())),
    NAMESPACE(record -> namespace(record.copy()));

    private final Function<RelatedRecord, String> value;

    Index(Function<RelatedRecord, String> value) {
      this.value = value;
    }
  }

  private final KubeClient service;
  private final RecordSecretCodec codec;
  private final RecordCache cache;
  private final Consumer<RelatedRecord> changed;
  private final ServiceView secrets;

  /** By the Secret's name. */
  private final PendingWrites<String> written = new PendingWrites<>();

  /** {@code changed} receives every record that is added, changed or removed; must not block. */
  public RelatedRecordStore(
      KubeClient service,
      TypeWatches watches,
      RecordSecretCodec codec,
      Consumer<RelatedRecord> changed) {
    this.service = service;
    this.codec = codec;
    this.cache = new RecordCache(codec::record);
    this.changed = changed;
    InformerSpec spec =
        InformerSpec.of(SECRETS)
            .inNamespace(codec.namespace())
            .withLabels(RecordSecretCodec.KIND_LABEL);
    for (Index index : Index.values()) {
      spec =
          spec.indexedBy(
              index.name(), secret -> cache.of(secret).map(index.value).stream().toList());
    }
    this.secrets = watches.onService(spec, this::secretChanged);
  }

  public String agentName() {
    return codec.agentName();
  }

  public boolean isSynced() {
    return secrets.isSynced();
  }

  public Optional<KubeFailure> lastFailure() {
    return secrets.lastFailure();
  }

  /** All primaries of a type for which anything is recorded. */
  public Set<ObjectKey> primaries(String type) {
    return find(Index.PRIMARY_TYPE, type, record -> record.owner().primaryType().equals(type))
        .stream()
        .map(record -> record.owner().primary())
        .collect(Collectors.toSet());
  }

  /** All of one primary, in no particular order. */
  public List<RelatedRecord> ofPrimary(String primaryType, ObjectKey primary) {
    return find(
        Index.PRIMARY,
        primary(primaryType, primary),
        record ->
            record.owner().primary().equals(primary)
                && record.owner().primaryType().equals(primaryType));
  }

  /** All of one primary's entry, read in the versions that the entry names by now. */
  public List<RelatedRecord> of(RecordOwner owner, RelatedResource.Types now) {
    return ofPrimary(owner.primaryType(), owner.primary()).stream()
        .filter(record -> record.owner().equals(owner))
        .map(record -> record.readAs(now))
        .toList();
  }

  /** All that name this copy, of any owner. */
  public List<RelatedRecord> ofCopy(ObjectRef copy) {
    return find(Index.COPY, text(copy), record -> record.copy().equals(copy));
  }

  /** All that name this original, of any owner. */
  public List<RelatedRecord> ofOriginal(ObjectRef original) {
    return find(Index.ORIGINAL, text(original), record -> record.original().equals(original));
  }

  /** Whether copies of related objects are, or may be, in this Namespace of the service cluster. */
  public boolean holdsCopies(String namespace) {
    return !isSynced() || anyCopyIn(namespace, _ -> true);
  }

  /** As {@link #holdsCopies}, but for the copy of this record. */
  public boolean holdsOtherCopies(String namespace, RelatedRecord than) {
    return anyCopyIn(
        namespace,
        record -> !record.owner().equals(than.owner()) || !record.copy().equals(than.copy()));
  }

  /** Also of other agents' records. */
  private boolean anyCopyIn(String namespace, Predicate<RelatedRecord> which) {
    return records(Index.NAMESPACE, namespace, _ -> true)
        .anyMatch(record -> namespace(record.copy()).equals(namespace) && which.test(record));
  }

  /** What is recorded of the same copy for the same primary. */
  public Optional<RelatedRecord> find(RelatedRecord record) {
    return stored(record).flatMap(cache::of);
  }

  /** Throws {@link KubeFailure}; a conflict means that the cache is behind. */
  public void put(RelatedRecord record) {
    Optional<KubeObject> known = stored(record);
    String name = known.map(KubeObject::name).orElseGet(() -> codec.name(record));
    KubeObject desired = codec.secret(record).with(name, "metadata", "name");
    write(
        name,
        () ->
            known.isPresent()
                ? service.update(SECRETS, withIdentity(desired, known.get()))
                : service.create(SECRETS, desired));
  }

  private void write(String name, Supplier<KubeObject> request) {
    written.begin(name);
    try {
      written.wrote(name, request.get());
    } catch (KubeFailure e) {
      written.forget(name);
      throw e;
    }
  }

  /**
   * What agents of other names have recorded of this copy in the same namespace. Each agent
   * announces the handover, and reads the others' records once the watch has shown its
   * announcement: so the last agent to announce sees that no other needs the copy.
   *
   * @param own record of the copy
   */
  public OtherAgents otherAgents(ObjectRef ref, KubeObject copy, Optional<RelatedRecord> own) {
    if (!isNeededElsewhere(ref, copy)) {
      return OtherAgents.NONE;
    }
    Optional<KubeObject> announced = own.flatMap(this::stored).filter(codec::announcesHandover);
    if (announced.isEmpty()) {
      return OtherAgents.NOT_ANNOUNCED;
    }
    if (secrets
        .find(codec.namespace(), announced.get().name())
        .filter(
            shown -> shown.uid().equals(announced.get().uid()) && codec.announcesHandover(shown))
        .isEmpty()) {
      return OtherAgents.ANNOUNCING;
    }
    // The watch shows records in order: earlier announcements of others are shown by now.
    return isNeededElsewhere(ref, copy) ? OtherAgents.ANNOUNCED : OtherAgents.NONE;
  }

  /** By agents that will delete it. */
  private boolean isNeededElsewhere(ObjectRef ref, KubeObject copy) {
    return secrets.indexed(Index.COPY.name(), text(ref)).stream()
        .filter(secret ->
            !codec.isOwn(secret) && !secret.deleting() && !codec.announcesHandover(secret))
        .flatMap(secret -> cache.of(secret).stream())
        .anyMatch(record -> record.copy().equals(ref) && record.isMadeAs(copy));
  }

  /** Throws {@link KubeFailure}; a conflict means that the cache is behind. */
  public void announceHandover(RelatedRecord record) {
    stored(record)
        .ifPresent(known ->
            write(
                known.name(),
                () ->
                    service.patch(
                        SECRETS,
                        codec.namespace(),
                        known.name(),
                        ConditionalPatch.on(known, codec.handoverAnnouncement()))));
  }

  /** Does nothing if there is no such record. */
  public void drop(RelatedRecord record) {
    Optional<KubeObject> known = stored(record);
    if (known.isPresent()) {
      String name = known.get().name();
      String uid = known.get().uid();
      var unchanged = new DeleteCondition.Unchanged(uid, known.get().resourceVersion());
      try {
        service.delete(SECRETS, codec.namespace(), name, unchanged);
      } catch (KubeFailure e) {
        if (e.kind() != KubeFailure.Kind.NOT_FOUND) {
          written.forget(name);
          throw e;
        }
      }
      // The watch may show the Secret for a while: the record must not count any more.
      written.removed(name, uid);
      if (secrets.find(codec.namespace(), name).isEmpty()) {
        // A watch may never show a Secret that was created and deleted before it got there.
        changed.accept(record);
      }
    }
  }

  private static KubeObject withIdentity(KubeObject desired, KubeObject known) {
    return desired
        .with(known.resourceVersion(), "metadata", "resourceVersion")
        .with(known.uid(), "metadata", "uid");
  }

  /**
   * The Secret may have another name: it was written when the entry named another version, or by an
   * agent without a name.
   */
  private Optional<KubeObject> stored(RelatedRecord record) {
    return secret(codec.name(record))
        .or(() ->
            secrets.indexed(Index.COPY.name(), text(record.copy())).stream()
                .filter(codec::isOwn)
                .filter(secret ->
                    cache
                        .of(secret)
                        .filter(known -> known.owner().equals(record.owner()))
                        .filter(known -> known.copy().equals(record.copy()))
                        .isPresent())
                .flatMap(secret -> secret(secret.name()).stream())
                .findFirst());
  }

  private Optional<KubeObject> secret(String name) {
    return written.newest(
        name, () -> secrets.find(codec.namespace(), name).filter(secret -> !secret.deleting()));
  }

  private List<RelatedRecord> find(Index index, String value, Predicate<RelatedRecord> wanted) {
    return records(index, value, codec::isOwn).filter(wanted).toList();
  }

  /** Of other values, too: own writes that are not shown yet are in no index. */
  private Stream<RelatedRecord> records(Index index, String value, Predicate<KubeObject> whose) {
    return written.newest(() -> secrets.indexed(index.name(), value), KubeObject::name).stream()
        .filter(secret -> whose.test(secret) && !secret.deleting())
        .flatMap(secret -> cache.of(secret).stream());
  }

  private void secretChanged(Change change) {
    KubeObject secret = change.latest();
    written.changed(secret.name(), change);
    cache.of(secret).ifPresent(changed);
    if (change instanceof Change.Removed) {
      cache.forget(secret);
    }
  }

  /** Empty for copies in kcp. */
  private static String namespace(ObjectRef copy) {
    return copy.side() == Side.SERVICE ? copy.namespace() : "";
  }

  private static String primary(String primaryType, ObjectKey primary) {
    return primaryType + "|" + primary;
  }

  private static String text(ObjectRef ref) {
    return ref.side() + "|" + ref.type().qualified() + "|" + ref.key();
  }
}
