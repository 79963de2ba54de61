package dev.mooring.syncagent.related.decide;

/** Which other entries and primaries need the same object, by their records. */
public enum OtherOwners {
  NONE,
  /** Others need it; this owner writes it. */
  WE_WRITE,
  /** Another owner writes it, from the same original. */
  THEY_WRITE,
  /** Another owner writes it, from another original. */
  CONFLICT
}
