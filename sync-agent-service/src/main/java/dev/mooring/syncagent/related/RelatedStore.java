package dev.mooring.syncagent.related;

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
import dev.mooring.syncagent.content.decide.ConditionalPatch;
import dev.mooring.syncagent.fleet.ServiceView;
import dev.mooring.syncagent.fleet.TypeWatches;
import dev.mooring.syncagent.published.Primaries.Side;
import dev.mooring.syncagent.related.decide.Holder;
import dev.mooring.syncagent.related.decide.RelatedRecord;
import dev.mooring.syncagent.related.decide.RelatedRecord.Ownership;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import dev.mooring.syncagent.related.decide.RelatedSnapshot.Elsewhere;
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
final class RelatedStore {
  static final ResourceType SECRETS = ResourceType.core("secrets");

  private static final String BY_PRIMARY = "primary";
  private static final String BY_PRIMARY_TYPE = "primary-type";
  private static final String BY_COPY = "copy";
  private static final String BY_ORIGINAL = "original";
  private static final String BY_NAMESPACE = "namespace";

  private final KubeClient service;
  private final RecordSecret form;
  private final DecodedRecords decoded;
  private final Consumer<RelatedRecord> changed;
  private final ServiceView secrets;

  /** By the Secret's name. */
  private final PendingWrites<String> written = new PendingWrites<>();

  /**
   * @param changed is told of every record that comes, changes or goes; must not block
   */
  RelatedStore(
      KubeClient service, TypeWatches watches, RecordSecret form, Consumer<RelatedRecord> changed) {
    this.service = service;
    this.form = form;
    this.decoded = new DecodedRecords(form::record);
    this.changed = changed;
    this.secrets =
        watches.onService(
            InformerSpec.of(SECRETS)
                .inNamespace(form.namespace())
                .withLabels(RecordSecret.KIND_LABEL)
                .indexedBy(BY_PRIMARY, secret -> index(secret, RelatedStore::primary))
                .indexedBy(BY_PRIMARY_TYPE, secret -> index(secret, r -> r.holder().primaryType()))
                .indexedBy(BY_NAMESPACE, secret -> index(secret, r -> namespace(r.copy())))
                .indexedBy(BY_COPY, secret -> index(secret, r -> text(r.copy())))
                .indexedBy(BY_ORIGINAL, secret -> index(secret, r -> text(r.original()))),
            this::secretChanged);
  }

  boolean isSynced() {
    return secrets.isSynced();
  }

  Optional<KubeFailure> lastFailure() {
    return secrets.lastFailure();
  }

  /** All primaries of a type beside which anything is recorded; each may come more than once. */
  List<ObjectKey> primaries(String type) {
    return find(BY_PRIMARY_TYPE, type).stream()
        .map(RelatedRecord::holder)
        .filter(holder -> holder.primaryType().equals(type))
        .map(Holder::primary)
        .toList();
  }

  /** All of one primary, in no particular order. */
  List<RelatedRecord> ofPrimary(String primaryType, ObjectKey primary) {
    return find(BY_PRIMARY, primary(primaryType, primary)).stream()
        .filter(record -> record.holder().primaryType().equals(primaryType))
        .filter(record -> record.holder().primary().equals(primary))
        .toList();
  }

  /** All of one primary's entry, in no particular order. */
  List<RelatedRecord> of(Holder holder) {
    return ofPrimary(holder.primaryType(), holder.primary()).stream()
        .filter(record -> record.holder().equals(holder))
        .toList();
  }

  /** All that name this copy, whoever needs it. */
  List<RelatedRecord> ofCopy(Spot copy) {
    return find(BY_COPY, text(copy)).stream().filter(r -> r.copy().equals(copy)).toList();
  }

  /** All that name this original, whoever needs it. */
  List<RelatedRecord> ofOriginal(Spot original) {
    return find(BY_ORIGINAL, text(original)).stream()
        .filter(r -> r.original().equals(original))
        .toList();
  }

  /**
   * Whether any copy of such a record, whichever agent's, is in this Namespace of the service
   * cluster.
   */
  boolean namesCopiesIn(String namespace, Predicate<RelatedRecord> which) {
    return find(BY_NAMESPACE, namespace, _ -> true).stream()
        .filter(which)
        .anyMatch(record -> namespace(record.copy()).equals(namespace));
  }

  /** What is recorded of the same copy for the same primary. */
  Optional<RelatedRecord> find(RelatedRecord record) {
    return stored(record).flatMap(decoded::of);
  }

  /** Whether this copy for this primary is recorded as one that is going to be made. */
  boolean intends(RelatedRecord record) {
    return find(record).filter(known -> known.ownership() == Ownership.INTENDED).isPresent();
  }

  /** Throws {@link KubeFailure}; a conflict means that the cache is behind. */
  void put(RelatedRecord record) {
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
  Elsewhere elsewhere(Spot spot, KubeObject copy, Optional<RelatedRecord> own) {
    if (!isNeededElsewhere(spot, copy)) {
      return Elsewhere.NOBODY;
    }
    Optional<KubeObject> said = own.flatMap(this::stored).filter(form::letsGo);
    if (said.isEmpty()) {
      return Elsewhere.UNTOLD;
    }
    if (secrets
        .find(form.namespace(), said.get().name())
        .filter(shown -> shown.uid().equals(said.get().uid()) && form.letsGo(shown))
        .isEmpty()) {
      return Elsewhere.TELLING;
    }
    // The watch shows records in order: what others had said before is shown by now.
    return isNeededElsewhere(spot, copy) ? Elsewhere.TOLD : Elsewhere.NOBODY;
  }

  /** By agents that will delete it. */
  private boolean isNeededElsewhere(Spot spot, KubeObject copy) {
    return secrets.indexed(BY_COPY, text(spot)).stream()
        .filter(secret -> !form.isOwn(secret) && !secret.deleting() && !form.letsGo(secret))
        .flatMap(secret -> decoded.of(secret).stream())
        .anyMatch(record -> record.copy().equals(spot) && record.isMadeAs(copy));
  }

  /** Throws {@link KubeFailure}; a conflict means that the cache is behind. */
  void letGo(RelatedRecord record) {
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
                ConditionalPatch.on(known.get(), form.lettingGo())));
      } catch (KubeFailure e) {
        written.forget(name);
        throw e;
      }
    }
  }

  /** Absence is as good. */
  void drop(RelatedRecord record) {
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
                        .filter(known -> known.holder().equals(record.holder()))
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
  private static String namespace(Spot copy) {
    return copy.side() == Side.SERVICE ? copy.place().namespace() : "";
  }

  private static String primary(RelatedRecord record) {
    return primary(record.holder().primaryType(), record.holder().primary());
  }

  private static String primary(String primaryType, ObjectKey primary) {
    return primaryType + "|" + primary;
  }

  private static String text(Spot spot) {
    LogicalCluster cluster = spot.cluster();
    return spot.side()
        + "|"
        + spot.type().qualified()
        + "|"
        + new ObjectKey(cluster, spot.place().namespace(), spot.place().name());
  }
}
