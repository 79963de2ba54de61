package dev.mooring.syncagent.sync.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.decide.LastSynced;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What was found of a copy. A read that failed is not among these: it throws. */
public sealed interface CopyLookup {
  /** No object carries the source's marks. */
  record Missing() implements CopyLookup {}

  /** The copy, and the content of the source that was last written to it. */
  record Found(KubeObject object, LastSynced past) implements CopyLookup {}

  /**
   * No object carries the marks, but another one has the copy's name.
   *
   * @param lastKnown content of the source that was last written to it, if it was its copy once
   */
  record NameTaken(KubeObject stranger, Optional<Map<String, Object>> lastKnown)
      implements CopyLookup {
    public NameTaken(KubeObject stranger) {
      this(stranger, Optional.empty());
    }
  }

  /** Several objects carry the marks: none can be called the copy. */
  record Ambiguous(List<String> names) implements CopyLookup {
    public Ambiguous {
      names = List.copyOf(names);
    }
  }
}
