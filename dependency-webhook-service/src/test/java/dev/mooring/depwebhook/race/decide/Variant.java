package dev.mooring.depwebhook.race.decide;

/** The protocol as it is, and with one thing wrong: the enumeration has to tell them apart. */
enum Variant {
  SOUND,
  /** The reference is claimed only after deletion claims and target were read. */
  ANNOUNCES_LAST,
  /** The reference claims are read before the deletion claim is written. */
  INTENDS_LAST,
  /** A read that failed counts as nothing found. */
  FAILED_READ_IS_ABSENCE,
  /** Objects of one name are taken for one object. */
  FORGETS_UIDS,
  /** A refused deletion takes back every deletion claim against its target. */
  WITHDRAWS_FOR_OTHERS,
  /** A creation whose object is absent counts as over. */
  ABSENT_IS_OVER,
  /** A change is over although its object is as it was reviewed. */
  CHANGES_ARE_OVER,
  /** A reference claim is forgotten while an index may still lack what it claimed. */
  FORGETS_BEFORE_THE_INDEX_KNOWS,
  /** Clocks are taken to agree. */
  IGNORES_SKEW,
  /** Requests are taken to be carried out at once. */
  IGNORES_SLOW_COMMITS,
  /** An index answers whatever its age. */
  TRUSTS_ANY_INDEX,
  /** A target with finalizers counts as there although its deletion was requested. */
  IGNORES_TERMINATION
}
