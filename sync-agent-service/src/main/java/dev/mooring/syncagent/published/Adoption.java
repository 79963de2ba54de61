package dev.mooring.syncagent.published;

/** What happens when the name of a new copy is taken already. */
public enum Adoption {
  /** No existing object is adopted. */
  NEVER,
  /** Only an object whose remaining marks name this very source. */
  MARKED,
  /** Also an object that carries no source's and no agent's mark. */
  UNCLAIMED,
  /** Any existing object, as the Go agent does. */
  ALWAYS
}
