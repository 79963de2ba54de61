package dev.mooring.depwebhook.lookup.memory;

import dev.mooring.depwebhook.reading.JoinedScans.Seeker;
import dev.mooring.depwebhook.reading.ListedObject;
import dev.mooring.model.dependency.ReferenceReader;
import java.util.List;
import java.util.Optional;

/** Passes a list on to a seeker, and records the dependents' versions and references. */
final class ListRecorder implements Seeker {
  private final Seeker seeker;
  private final int dependentsMax;
  private final DependentVersions.Builder versions;
  private int seen;

  /**
   * @param dependentsMax a longer list is not recorded; 0 to record none
   */
  ListRecorder(Seeker seeker, List<ReferenceReader> readers, int dependentsMax) {
    this.seeker = seeker;
    this.dependentsMax = dependentsMax;
    this.versions = new DependentVersions.Builder(readers);
  }

  @Override
  public void see(ListedObject dependent) {
    seen++;
    if (seen <= dependentsMax) {
      versions.add(dependent);
    } else {
      versions.clear();
    }
    seeker.see(dependent);
  }

  @Override
  public boolean hasEnough() {
    return seeker.hasEnough();
  }

  int seen() {
    return seen;
  }

  /** Empty if the list, read to its end, is too long or too short. */
  Optional<DependentVersions> versions() {
    return Optional.of(versions.build())
        .filter(list -> list.size() >= DependentMemory.DEPENDENTS_MIN);
  }
}
