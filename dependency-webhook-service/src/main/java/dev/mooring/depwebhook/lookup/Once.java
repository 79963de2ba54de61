package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.reading.JoinedScans.Seeker;
import dev.mooring.model.object.KubeObject;
import java.util.HashSet;
import java.util.Set;

/** Shows a seeker every object once, of several lists that may each have it. */
final class Once implements Seeker {
  private final Seeker seeker;

  /** Namespace and name. */
  private final Set<String> shown = new HashSet<>();

  Once(Seeker seeker) {
    this.seeker = seeker;
  }

  @Override
  public void see(KubeObject object) {
    if (shown.add(object.namespace() + "/" + object.name())) {
      seeker.see(object);
    }
  }

  @Override
  public boolean hasEnough() {
    return seeker.hasEnough();
  }
}
