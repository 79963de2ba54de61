package dev.mooring.syncagent.content.decide;

import java.util.Map;
import java.util.Objects;

/** What is known of a source's content as it was last written to its copy. */
public sealed interface Past {
  record Known(Map<String, Object> content) implements Past {
    public Known {
      Objects.requireNonNull(content, "content");
    }
  }

  /** Something is kept, and it cannot be read. */
  record Damaged() implements Past {}

  /**
   * Nothing is kept: another program wrote the copy, or somebody removed the state. What differs in
   * the copy may be meant to.
   */
  record NotKept() implements Past {}
}
