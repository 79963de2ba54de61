package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.decide.KnownDependents;
import dev.mooring.depwebhook.reading.JoinedScans.Seeker;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.object.KubeObject;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares a list of versions with what is known of dependents at these: which of them have to be
 * read to tell whether they refer to the target.
 */
final class Comparison implements Seeker {
  /** More reads than this cost more than the whole list. */
  static final int READS_MAX = 32;

  private final KnownDependents known;
  private final Target target;
  private final List<KubeObject> unclear = new ArrayList<>();
  private int changed;

  Comparison(KnownDependents known, Target target) {
    this.known = known;
    this.target = target;
  }

  @Override
  public void see(KubeObject version) {
    switch (known.of(version, target)) {
      case REFERS_ELSEWHERE -> {}
      case MAY_REFER -> unclear.add(version);
      case UNKNOWN -> {
        changed++;
        unclear.add(version);
      }
    }
  }

  @Override
  public boolean hasEnough() {
    return tooManyToRead();
  }

  /** Whether the whole list is to be read instead. */
  boolean tooManyToRead() {
    return unclear.size() > READS_MAX;
  }

  /** Whether that is because so much has changed. */
  boolean tooManyChanged() {
    return changed > READS_MAX / 2;
  }

  /** With namespace and name. */
  List<KubeObject> unclear() {
    return List.copyOf(unclear);
  }
}
