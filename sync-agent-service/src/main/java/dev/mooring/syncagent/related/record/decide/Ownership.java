package dev.mooring.syncagent.related.record.decide;

/** Whose the copy is. */
public enum Ownership {
  /** The original is held for it, and it is going to be made. */
  INTENDED,
  /** The agent made it and deletes it. */
  MADE,
  /** It was there before and is never deleted. */
  ADOPTED
}
