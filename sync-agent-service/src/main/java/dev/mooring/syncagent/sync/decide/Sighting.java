package dev.mooring.syncagent.sync.decide;

import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What was found of a copy. A read that failed is not among these: it throws. */
public sealed interface Sighting {
  /** No object carries the source's marks. */
  record Missing() implements Sighting {}

  /**
   * The copy.
   *
   * @param lastKnown content of the source that was last written to it; empty if that is not known
   */
  record Found(KubeObject object, Optional<Map<String, Object>> lastKnown) implements Sighting {
    public Found {
      Objects.requireNonNull(object, "object");
      Objects.requireNonNull(lastKnown, "lastKnown");
    }
  }

  /**
   * No object carries the marks, but another one has the copy's name.
   *
   * @param lastKnown as of {@link Found}, if it was this source's copy once
   */
  record NameTaken(KubeObject stranger, Optional<Map<String, Object>> lastKnown)
      implements Sighting {
    public NameTaken {
      Objects.requireNonNull(stranger, "stranger");
      Objects.requireNonNull(lastKnown, "lastKnown");
    }

    public NameTaken(KubeObject stranger) {
      this(stranger, Optional.empty());
    }
  }

  /** Several objects carry the marks: none can be called the copy. */
  record Ambiguous(List<String> names) implements Sighting {
    public Ambiguous {
      names = List.copyOf(names);
    }
  }
}
