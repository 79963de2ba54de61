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
  /** Of an entry that names no object of the kind. */
  public static RelatedObject unnamed(String entry, String origin, String kind, String why) {
    return new RelatedObject(
        entry,
        origin,
        "entry %s (origin %s)".formatted(entry, origin),
        new Fact.Unread<>("names no " + kind + ": " + why));
  }

  /** In words. */
  public String state() {
    return switch (exists) {
      case Fact.Known<Boolean>(var there) -> there ? "exists" : "does not exist";
      case Fact.Unread<Boolean>(var why) -> why;
    };
  }
}
