package dev.mooring.cli.why.decide;

/**
 * An object that is synced with the consumer's.
 *
 * @param entry identifier in spec.related
 * @param origin kcp or service; empty if that is not known
 * @param object kind, namespace and name in the consumer's workspace
 * @param exists there
 */
public record RelatedObject(String entry, String origin, String object, Fact<Boolean> exists) {
  /** In words. */
  public String state() {
    return switch (exists) {
      case Fact.Known<Boolean>(var there) -> there ? "exists" : "does not exist";
      case Fact.Unread<Boolean>(var why) -> "not read: " + why;
    };
  }
}
