package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.reading.JoinedScans.Seeker;
import dev.mooring.model.object.KubeObject;

/**
 * Shows a seeker what is in no namespace, and stops at what is in one: the type is not what it was
 * taken for, and objects of other namespaces are no business of the seeker's. A list with nothing
 * in it bears out either.
 */
final class WithoutNamespaces implements Seeker {
  private final Seeker seeker;
  private boolean contradicted;

  WithoutNamespaces(Seeker seeker) {
    this.seeker = seeker;
  }

  @Override
  public void see(KubeObject object) {
    if (object.namespace().isEmpty()) {
      seeker.see(object);
    } else {
      contradicted = true;
    }
  }

  @Override
  public boolean hasEnough() {
    return contradicted || seeker.hasEnough();
  }

  /** Asked once the reading is over; what the seeker saw is then void. */
  boolean isContradicted() {
    return contradicted;
  }
}
