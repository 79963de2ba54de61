package dev.mooring.syncagent.related.sync;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.GoAgentStateStore;
import dev.mooring.syncagent.content.decide.CopyNamespace;
import dev.mooring.syncagent.content.decide.StateKey;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.published.SyncPolicy.EmptyNamespaces;
import dev.mooring.syncagent.related.record.PendingCopies;
import dev.mooring.syncagent.related.record.RelatedRecordStore;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.record.decide.OtherAgents;
import dev.mooring.syncagent.related.record.decide.RecordOwner;
import dev.mooring.syncagent.related.record.decide.RelatedRecord;
import dev.mooring.syncagent.related.resolve.PrimaryCopies;
import dev.mooring.syncagent.related.resolve.RelatedCaches;
import dev.mooring.syncagent.related.share.SharedObjects;
import dev.mooring.syncagent.related.sync.decide.CopySnapshot;
import dev.mooring.syncagent.related.sync.decide.CopySnapshot.Provenance;
import dev.mooring.syncagent.related.sync.decide.CopySubject;
import java.util.Map;
import java.util.Optional;

/** Reads all that one decision about one copy is made on, from caches. Thread-safe. */
record CopyReader(
    RelatedRules rules,
    RelatedCaches caches,
    PendingCopies pendingCopies,
    SharedObjects shared,
    GoAgentStateStore earlier,
    PrimaryCopies primaryCopies) {
  private RelatedRecordStore records() {
    return shared.records();
  }

  /**
   * @param primary in kcp
   * @param originalKind of the entry's originals
   */
  CopySnapshot read(
      CopySnapshot.Rules entryRules,
      RecordOwner owner,
      KubeObject primary,
      String originalKind,
      CopySubject subject) {
    Optional<RelatedRecord> record = subject.record();
    Optional<KubeObject> copy =
        pendingCopies.newest(subject.copy(), () -> caches.find(subject.copy()));
    ObjectRef recorded = subject.recordedOriginal();
    Optional<Map<String, Object>> earlierContent =
        copy.isPresent() && record.filter(RelatedRecord::isDone).isEmpty()
            ? ofGoAgent(owner, primary, originalKind, subject.original())
                .or(() -> ofFormerIdentifier(owner, subject, copy.get()))
            : Optional.empty();
    return new CopySnapshot(
        entryRules,
        owner,
        new CopySnapshot.Original(subject.original(), caches.find(subject.original())),
        new CopySnapshot.Copy(
            subject.copy(), copy, namespace(owner, subject.copy()), provenance(subject, copy)),
        new CopySnapshot.Known(
            record,
            recorded.equals(subject.original()) ? Optional.empty() : caches.find(recorded),
            copy.isEmpty() ? record.flatMap(this::emptyNamespace) : Optional.empty(),
            earlierContent),
        new CopySnapshot.Sharers(
            shared.otherOwnersOfCopy(owner, subject.original(), subject.copy(), record),
            shared.otherOwnersOfOriginal(owner, recorded),
            copy.map(object -> records().otherAgents(subject.copy(), object, record))
                .orElse(OtherAgents.NONE)));
  }

  private CopyNamespace namespace(RecordOwner owner, ObjectRef copy) {
    if (copy.namespace().isEmpty()) {
      return CopyNamespace.NOT_NEEDED;
    }
    return caches
        .find(copy.namespaceRef())
        .map(CopyNamespace::of)
        .orElse(isPrimaryNamespace(owner, copy) ? CopyNamespace.PRESENT : CopyNamespace.ABSENT);
  }

  /** The primary is in it, so it exists even where the consumer hides Namespaces. */
  private static boolean isPrimaryNamespace(RecordOwner owner, ObjectRef copy) {
    return copy.side() == Side.KCP && copy.namespace().equals(owner.primary().namespace());
  }

  private Provenance provenance(CopySubject subject, Optional<KubeObject> copy) {
    if (copy.isPresent()) {
      return pendingCopies
          .contentOf(subject.copy(), copy.get())
          .<Provenance>map(Provenance.CreatedHere::new)
          .orElseGet(Provenance.Unknown::new);
    }
    return subject.record().filter(this::isDeletedHere).isPresent()
        ? new Provenance.RemovedHere()
        : new Provenance.Unknown();
  }

  private boolean isDeletedHere(RelatedRecord record) {
    return pendingCopies.isDeleted(record.copy(), record.copyUid());
  }

  /** Content of the original that the Go agent last wrote to the copy. */
  private Optional<Map<String, Object>> ofGoAgent(
      RecordOwner owner, KubeObject primary, String originalKind, ObjectRef original) {
    return earlier.find(
        new StateKey(primary.apiVersion(), primary.kind(), owner.primary()),
        new StateKey(original.type().apiVersion(), originalKind, original.key()));
  }

  /** Content that was written to the copy for an entry that was removed or renamed since. */
  private Optional<Map<String, Object>> ofFormerIdentifier(
      RecordOwner owner, CopySubject subject, KubeObject copy) {
    return records().ofCopy(subject.copy()).stream()
        .filter(record -> record.owner().primaryType().equals(owner.primaryType()))
        .filter(record -> record.owner().primary().equals(owner.primary()))
        .filter(record ->
            rules.entries().stream()
                .noneMatch(known -> known.identifier().equals(record.owner().identifier())))
        .filter(record -> record.original().equals(subject.original()) && record.isMadeAs(copy))
        .map(RelatedRecord::lastKnown)
        .findFirst();
  }

  /** The copy's Namespace, if the agent created it and nothing but this record keeps it. */
  private Optional<KubeObject> emptyNamespace(RelatedRecord record) {
    ObjectRef copy = record.copy();
    if (rules.emptyNamespaces() == EmptyNamespaces.KEEP
        || copy.side() != Side.SERVICE
        || copy.namespace().isEmpty()) {
      return Optional.empty();
    }
    return caches
        .find(copy.namespaceRef())
        .filter(namespace -> !namespace.deleting())
        .filter(namespace ->
            records().agentName().equals(namespace.labels().get(SyncMarks.NAMESPACE_OF)))
        .filter(namespace -> !primaryCopies.areIn(namespace.name()))
        .filter(namespace -> !records().holdsOtherCopies(namespace.name(), record));
  }
}
