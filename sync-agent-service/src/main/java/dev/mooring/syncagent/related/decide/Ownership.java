package dev.mooring.syncagent.related.decide;

/** Whose the copy is. */
public enum Ownership {
  /** It is to be created; the original gets a finalizer before. */
  INTENDED,
  /** The agent created it and deletes it. */
  MADE,
  /** It existed before and is never deleted. */
  ADOPTED
}
