package dev.mooring.syncagent.related.decide;

import dev.mooring.model.identity.ResourceType;
import java.util.Map;
import java.util.Objects;

/**
 * What is remembered of one copy of a related object: copies in kcp carry no marks.
 *
 * @param lastKnown content of the original that was last written to the copy
 */
public record RelatedRecord(
    ResourceType type, Place place, Ownership ownership, Map<String, Object> lastKnown) {
  public RelatedRecord {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(place, "place");
    Objects.requireNonNull(ownership, "ownership");
    Objects.requireNonNull(lastKnown, "lastKnown");
  }

  /** Whose the copy is. */
  public enum Ownership {
    /** The agent made it and deletes it. */
    MADE,
    /** It was there before and is never deleted. */
    ADOPTED
  }

  RelatedRecord knowing(Map<String, Object> content) {
    return new RelatedRecord(type, place, ownership, content);
  }
}
