package dev.mooring.sandbox.fault;

/** One way in which a request goes wrong. Each is something that a real API server does. */
public enum Fault {
  /** A watch ends without a word when it is about to tell events. */
  DROPPED_WATCH,

  /**
   * A list that allows it (with a {@code resourceVersion} that it need not be newer than) is
   * answered from some time before, as by a server whose watch cache lags.
   */
  STALE_LIST,

  /** An update, patch or deletion is refused with 409, as if another writer had been first. */
  CONFLICT,

  /** A write is carried out, and the connection ends before its answer. */
  LOST_RESPONSE,

  /** A watch from a version, or a list that continues another, is answered with 410: too old. */
  EXPIRED,

  /** 429 with Retry-After, as from priority and fairness. */
  TOO_MANY_REQUESTS,

  /** 503 with Retry-After, as from a server that is shutting down. */
  UNAVAILABLE,

  /**
   * Types bound by APIBindings, and everything in virtual workspaces, are answered with kcp's plain
   * {@code 404 page not found}, and their groups are not in discovery, as for seconds after a shard
   * has started. Everything else is served.
   */
  STARTING_SHARD,

  /** A request, or the next events of a watch, come late. */
  SLOW,

  /**
   * An admission webhook gets its review late. Where that is later than its timeout the call has
   * failed, and the webhook's {@code failurePolicy} says what becomes of the write.
   */
  SLOW_WEBHOOK
}
