package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.decide.KnownDependents;
import dev.mooring.depwebhook.lookup.decide.KnownDependents.Known;
import dev.mooring.depwebhook.reading.JoinedScans.Seeker;
import dev.mooring.model.dependency.ReferenceReader;
import dev.mooring.model.object.KubeObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Shows a list to a seeker, and takes down beside what it shows. */
final class DependentNotes implements Seeker {
  private final Seeker seeker;
  private final List<ReferenceReader> readers;
  private final int most;
  private final Map<UUID, Known> byUid = new HashMap<>();
  private int beyond;

  /**
   * @param most objects; of a longer list nothing is known
   */
  DependentNotes(Seeker seeker, List<ReferenceReader> readers, int most) {
    this.seeker = seeker;
    this.readers = readers;
    this.most = most;
  }

  @Override
  public void see(KubeObject object) {
    take(object);
    seeker.see(object);
  }

  @Override
  public boolean hasEnough() {
    return seeker.hasEnough();
  }

  /** To be asked once the list has been read to its end. Empty if it was too long. */
  Optional<KnownDependents> taken() {
    return beyond > 0 ? Optional.empty() : Optional.of(new KnownDependents(byUid));
  }

  private void take(KubeObject object) {
    if (byUid.size() == most) {
      beyond++;
      byUid.clear();
    }
    if (beyond == 0) {
      KnownDependents.uid(object)
          .ifPresent(uid -> Known.of(object, readers).ifPresent(known -> byUid.put(uid, known)));
    }
  }
}
