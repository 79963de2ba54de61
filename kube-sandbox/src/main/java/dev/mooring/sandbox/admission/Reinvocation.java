package dev.mooring.sandbox.admission;

import dev.mooring.model.object.KubeObject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which steps of the mutating plugins run a second time on one write, because a later step changed
 * the object (apiserver {@code pkg/admission/reinvocation.go}). One write, one thread.
 */
public final class Reinvocation {
  private final Map<String, Steps> steps = new HashMap<>();
  private boolean second;
  private boolean needed;

  /** Whether the plugins have to be asked again; the passes after this are second ones. */
  boolean begin() {
    boolean again = needed && !second;
    second |= again;
    return again;
  }

  /** Of a plugin whose steps can be reinvoked. */
  public Steps of(AdmissionPlugin plugin) {
    return steps.computeIfAbsent(plugin.name(), _ -> new Steps());
  }

  /** The steps of one plugin, by any key that tells them apart. */
  public final class Steps {
    private final Set<Object> invoked = new HashSet<>();
    private final Set<Object> again = new HashSet<>();
    private @Nullable KubeObject output;

    private Steps() {}

    /** Called before the first step of a pass. */
    public void begin(KubeObject object) {
      if (second && (output == null || !object.equals(output))) {
        reinvokeEarlier();
      }
    }

    /** Whether the step runs in this pass. */
    public boolean runs(Object step) {
      return !second || again.contains(step);
    }

    /** A step changed the object: those that ran before have to look at it again. */
    public void changed() {
      reinvokeEarlier();
      needed = true;
    }

    /** A step ran that may run again. */
    public void invoked(Object step) {
      invoked.add(step);
    }

    /** Called after the last step of a pass. */
    public void end(KubeObject object) {
      output = object;
    }

    private void reinvokeEarlier() {
      again.addAll(invoked);
      invoked.clear();
    }
  }
}
