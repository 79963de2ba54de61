package dev.mooring.depwebhook.lookup.decide;

import dev.mooring.model.dependency.Mode;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What is known about the objects that refer to a target. */
public sealed interface Lookup {
  /**
   * Every dependent type was read, or enough to refuse.
   *
   * @param found by what comes of it; modes without a blocker are left out
   * @param unchecked what could not be read and keeps nothing from being deleted, because rules
   *     only warn of it
   */
  record Complete(Map<Mode, Found> found, List<String> unchecked) implements Lookup {
    public Complete {
      found = Map.copyOf(found);
      unchecked = List.copyOf(unchecked);
    }

    public Found of(Mode mode) {
      return found.getOrDefault(mode, Found.NOTHING);
    }
  }

  /**
   * Something could not be read, so nobody knows.
   *
   * @param missing what, for whom it was asked, why, and what to do
   */
  record Incomplete(String missing) implements Lookup {
    public Incomplete {
      Objects.requireNonNull(missing, "missing");
    }
  }
}
