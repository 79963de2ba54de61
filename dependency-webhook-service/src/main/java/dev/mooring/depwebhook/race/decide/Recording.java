package dev.mooring.depwebhook.race.decide;

/** Whether a request is meant. */
public enum Recording {
  /** It is recorded, so that the other side sees it. */
  RECORDED,
  /** A dry run: answered as if, with nothing written. */
  REHEARSED
}
