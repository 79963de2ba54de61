package dev.mooring.cli.size;

/**
 * What the sync agent costs, as measured with the image's options; {@code docs/concepts/scaling.md}
 * has the same numbers. An object is one that a consumer creates, with its copy.
 */
public final class SyncCosts {
  /** Requests for an object on its way down, for its status, and for its deletion. */
  public static final int DOWN = 3;

  public static final int STATUS = 2;
  public static final int DELETION = 3;

  /** Writes to kcp for an object from its creation to its end, with the consumer's own two. */
  static final int KCP_WRITES = 8;

  /** Writes to the service cluster for the same, with the status that an operator sets. */
  static final int SERVICE_WRITES = 3;

  /** Processor time in milliseconds of an object of 1 KiB, on a machine with other work. */
  public static final double DOWN_CPU = 2.9;

  public static final double STATUS_CPU = 1.8;
  public static final double DELETION_CPU = 2.6;

  /** Each further KiB of JSON takes so much more, for all three together. */
  static final double CONTENT_CPU = 0.65;

  /** Live heap of an agent without objects, in MiB. */
  public static final double EMPTY_HEAP = 33;

  /** Live heap of an object in KiB, besides its content. */
  public static final double OBJECT_HEAP = 0.5;

  /** Live heap of both sides for each KiB of JSON of the object. */
  public static final double CONTENT_HEAP = 2.1;

  /** Live heap in KiB of an object of which another replica takes care. */
  static final double OTHERS_HEAP = 1;

  /** Besides the heap, in MiB: some 170 are resident; the chart's limit leaves 256. */
  static final double OUTSIDE_HEAP = 256;

  /** Until an object's copy is there, in seconds, one object after the other. */
  static final double PASS = 0.044;

  /** Writes a second of a kcp on two cores, which agent, clients and copies share. */
  static final double KCP_WRITES_MAX = 290;

  /** Resident in kcp for a workspace, in MiB. */
  static final double KCP_WORKSPACE = 4.7;

  /** Of an Event in etcd, in KiB; kcp keeps it for an hour. */
  static final double EVENT_SIZE = 1;

  private SyncCosts() {}
}
