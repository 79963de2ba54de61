package dev.mooring.depwebhook.lookup.memory;

import dev.mooring.depwebhook.reading.JoinedScans.Seeker;
import dev.mooring.depwebhook.reading.ListedObject;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares a list of versions with an earlier list: which dependents have to be read to tell
 * whether they refer to the target.
 */
final class VersionComparison implements Seeker {
  /** More reads than this cost more than the whole list. */
  static final int READS_MAX = 32;

  private final DependentVersions known;
  private final Target target;
  private final List<KubeObject> unclear = new ArrayList<>();
  private int changed;

  VersionComparison(DependentVersions known, Target target) {
    this.known = known;
    this.target = target;
  }

  @Override
  public void see(ListedObject version) {
    switch (known.compare(version, target)) {
      case REFERS_ELSEWHERE -> {}
      case MAY_REFER -> unclear.add(version.object());
      case CHANGED -> {
        changed++;
        unclear.add(version.object());
      }
    }
  }

  @Override
  public boolean hasEnough() {
    return tooManyToRead();
  }

  /** Whether a whole list is faster. */
  boolean tooManyToRead() {
    return unclear.size() > READS_MAX;
  }

  /** Whether that is because so many have changed. */
  boolean tooManyChanged() {
    return changed > READS_MAX / 2;
  }

  /** With namespace and name. */
  List<KubeObject> unclear() {
    return List.copyOf(unclear);
  }
}
