package dev.mooring.syncagent.related.record;

import dev.mooring.model.identity.LogicalCluster;
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
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.record.decide.OtherAgents;
import dev.mooring.syncagent.related.record.decide.Ownership;
import dev.mooring.syncagent.related.record.decide.RecordOwner;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What the agent knows of all copies of related objects: one Secret in its namespace for each copy
 * and primary. Reads come from a watch on such Secrets; writes are conditioned on what was read,
 * and are seen at once by this process. Thread-safe.
 */
public final class RelatedRecordStore {
  public static final ResourceType SECRETS = ResourceType.core("secrets");

  private static final String BY_PRIMARY = "primary";
  private static final String BY_PRIMARY_TYPE = "primary-type";
  private static final String BY_COPY = "copy";
  private static final String BY_ORIGINAL = "original";
  private static final String BY_NAMESPACE = "namespace";

  private final KubeClient service;
  private final RecordSecretCodec form;
  private final RecordCache decoded;
  private final Consumer<RelatedRecord> changed;
  private final ServiceView secrets;

  /** By the Secret's name. */
  private final PendingWrites<String> written = new PendingWrites<>();

  /**
   * @param changed is told of every record that comes, changes or goes; must not block
   */
  public RelatedRecordStore(
      KubeClient service,
      TypeWatches watches,
      RecordSecretCodec form,
      Consumer<RelatedRecord> changed) {
    this.service = service;
    this.form = form;
    this.decoded = new RecordCache(form::record);
    this.changed = changed;
    this.secrets =
        watches.onService(
            InformerSpec.of(SECRETS)
                .inNamespace(form.namespace())
                .withLabels(RecordSecretCodec.KIND_LABEL)
                .indexedBy(BY_PRIMARY, secret -> index(secret, RelatedRecordStore::primary))
                .indexedBy(BY_PRIMARY_TYPE, secret -> index(secret, r -> r.owner().primaryType()))
                .indexedBy(BY_NAMESPACE, secret -> index(secret, r -> namespace(r.copy())))
                .indexedBy(BY_COPY, secret -> index(secret, r -> text(r.copy())))
                .indexedBy(BY_ORIGINAL, secret -> index(secret, r -> text(r.original()))),
            this::secretChanged);
  }

  public String agentName() {
    return form.agentName();
  }

  public boolean isSynced() {
    return secrets.isSynced();
  }

  public Optional<KubeFailure> lastFailure() {
    return secrets.lastFailure();
  }

  /** All primaries of a type beside which anything is recorded; each may come more than once. */
  public List<ObjectKey> primaries(String type) {
    return find(BY_PRIMARY_TYPE, type).stream()
        .map(RelatedRecord::owner)
        .filter(owner -> owner.primaryType().equals(type))
        .map(RecordOwner::primary)
        .toList();
  }

  /** All of one primary, in no particular order. */
  public List<RelatedRecord> ofPrimary(String primaryType, ObjectKey primary) {
    return find(BY_PRIMARY, primary(primaryType, primary)).stream()
        .filter(record -> record.owner().primaryType().equals(primaryType))
        .filter(record -> record.owner().primary().equals(primary))
        .toList();
  }

  /** All of one primary's entry, in no particular order. */
  private List<RelatedRecord> of(RecordOwner owner) {
    return ofPrimary(owner.primaryType(), owner.primary()).stream()
        .filter(record -> record.owner().equals(owner))
        .toList();
  }

  /** All of one primary's entry, read in the versions that the entry names by now. */
  public List<RelatedRecord> of(RecordOwner owner, RelatedResource.Types now) {
    return of(owner).stream().map(record -> record.readAs(now)).toList();
  }

  /** All that name this copy, whoever needs it. */
  public List<RelatedRecord> ofCopy(ObjectRef copy) {
    return find(BY_COPY, text(copy)).stream().filter(r -> r.copy().equals(copy)).toList();
  }

  /** All that name this original, whoever needs it. */
  public List<RelatedRecord> ofOriginal(ObjectRef original) {
    return find(BY_ORIGINAL, text(original)).stream()
        .filter(r -> r.original().equals(original))
        .toList();
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
    return find(BY_NAMESPACE, namespace, _ -> true).stream()
        .filter(which)
        .anyMatch(record -> namespace(record.copy()).equals(namespace));
  }

  /** What is recorded of the same copy for the same primary. */
  public Optional<RelatedRecord> find(RelatedRecord record) {
    return stored(record).flatMap(decoded::of);
  }

  /** Whether this copy for this primary is recorded as one that is going to be made. */
  public boolean intends(RelatedRecord record) {
    return find(record).filter(known -> known.ownership() == Ownership.INTENDED).isPresent();
  }

  /** Throws {@link KubeFailure}; a conflict means that the cache is behind. */
  public void put(RelatedRecord record) {
    Optional<KubeObject> known = stored(record);
    String name = known.map(KubeObject::name).orElseGet(() -> form.name(record));
    KubeObject desired = form.secret(record).with(name, "metadata", "name");
    written.begin(name);
    try {
      KubeObject stored =
          known.isPresent()
              ? service.update(SECRETS, withIdentity(desired, known.get()))
              : service.create(SECRETS, desired);
      written.wrote(name, stored);
    } catch (KubeFailure e) {
      written.forget(name);
      throw e;
    }
  }

  /**
   * What agents of other names have recorded of this copy in the same namespace.
   *
   * <p>Each says that it lets go, and looks at the others' records once the watch has shown what it
   * said. So the last one to say it sees that nobody else needs the copy, whatever happens at the
   * same time.
   *
   * @param own record of the copy
   */
  public OtherAgents otherAgents(ObjectRef ref, KubeObject copy, Optional<RelatedRecord> own) {
    if (!isNeededElsewhere(ref, copy)) {
      return OtherAgents.NONE;
    }
    Optional<KubeObject> said = own.flatMap(this::stored).filter(form::announcesHandover);
    if (said.isEmpty()) {
      return OtherAgents.NOT_ANNOUNCED;
    }
    if (secrets
        .find(form.namespace(), said.get().name())
        .filter(shown -> shown.uid().equals(said.get().uid()) && form.announcesHandover(shown))
        .isEmpty()) {
      return OtherAgents.ANNOUNCING;
    }
    // The watch shows records in order: what others had said before is shown by now.
    return isNeededElsewhere(ref, copy) ? OtherAgents.ANNOUNCED : OtherAgents.NONE;
  }

  /** By agents that will delete it. */
  private boolean isNeededElsewhere(ObjectRef ref, KubeObject copy) {
    return secrets.indexed(BY_COPY, text(ref)).stream()
        .filter(
            secret -> !form.isOwn(secret) && !secret.deleting() && !form.announcesHandover(secret))
        .flatMap(secret -> decoded.of(secret).stream())
        .anyMatch(record -> record.copy().equals(ref) && record.isMadeAs(copy));
  }

  /** Throws {@link KubeFailure}; a conflict means that the cache is behind. */
  public void announceHandover(RelatedRecord record) {
    Optional<KubeObject> known = stored(record);
    if (known.isPresent()) {
      String name = known.get().name();
      written.begin(name);
      try {
        written.wrote(
            name,
            service.patch(
                SECRETS,
                form.namespace(),
                name,
                ConditionalPatch.on(known.get(), form.handoverAnnouncement())));
      } catch (KubeFailure e) {
        written.forget(name);
        throw e;
      }
    }
  }

  /** Absence is as good. */
  public void drop(RelatedRecord record) {
    Optional<KubeObject> known = stored(record);
    if (known.isPresent()) {
      String name = known.get().name();
      String uid = known.get().uid();
      try {
        service.delete(SECRETS, form.namespace(), name, new DeleteCondition.SameObject(uid));
      } catch (KubeFailure e) {
        if (e.kind() != KubeFailure.Kind.NOT_FOUND) {
          written.forget(name);
          throw e;
        }
      }
      // What is held or made by a record that is only still shown, nobody would know of.
      written.removed(name, uid);
      if (secrets.find(form.namespace(), name).isEmpty()) {
        // What came and went before the watch showed it, it may never tell of.
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
   * It may have been written under another name: when the entry named another version, or before
   * agents had names of their own.
   */
  private Optional<KubeObject> stored(RelatedRecord record) {
    return secret(form.name(record))
        .or(() ->
            secrets.indexed(BY_COPY, text(record.copy())).stream()
                .filter(form::isOwn)
                .filter(secret ->
                    decoded
                        .of(secret)
                        .filter(known -> known.owner().equals(record.owner()))
                        .filter(known -> known.copy().equals(record.copy()))
                        .isPresent())
                .flatMap(secret -> secret(secret.name()).stream())
                .findFirst());
  }

  private Optional<KubeObject> secret(String name) {
    return written.newest(
        name, secrets.find(form.namespace(), name).filter(secret -> !secret.deleting()));
  }

  private List<RelatedRecord> find(String index, String value) {
    return find(index, value, form::isOwn);
  }

  private List<RelatedRecord> find(String index, String value, Predicate<KubeObject> whose) {
    var found = new ArrayList<RelatedRecord>();
    for (KubeObject secret : secrets.indexed(index, value)) {
      if (whose.test(secret)
          && written.find(secret.name()).isEmpty()
          && !written.isRemoved(secret.name(), secret)
          && !secret.deleting()) {
        decoded.of(secret).ifPresent(found::add);
      }
    }
    written.all().forEach(secret -> decoded.of(secret).ifPresent(found::add));
    return found;
  }

  private List<String> index(KubeObject secret, Function<RelatedRecord, String> value) {
    return decoded.of(secret).map(value).stream().toList();
  }

  private void secretChanged(Change change) {
    KubeObject secret = change.latest();
    written.changed(secret.name(), change);
    decoded.of(secret).ifPresent(changed);
    if (change instanceof Change.Removed) {
      decoded.forget(secret);
    }
  }

  /** Empty for copies in kcp. */
  private static String namespace(ObjectRef copy) {
    return copy.side() == Side.SERVICE ? copy.namespace() : "";
  }

  private static String primary(RelatedRecord record) {
    return primary(record.owner().primaryType(), record.owner().primary());
  }

  private static String primary(String primaryType, ObjectKey primary) {
    return primaryType + "|" + primary;
  }

  private static String text(ObjectRef ref) {
    LogicalCluster cluster = ref.cluster();
    return ref.side()
        + "|"
        + ref.type().qualified()
        + "|"
        + new ObjectKey(cluster, ref.namespace(), ref.name());
  }
}
