package dev.mooring.syncagent.sync;

import dev.mooring.model.identity.ObjectKey;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Objects that are not in step at the moment, and why. At most {@value #LISTED_MAX} are kept: past
 * that, the number alone grows old. Thread-safe.
 */
final class Troubles {
  static final int LISTED_MAX = 1000;

  private final ConcurrentSkipListMap<ObjectKey, Trouble> troubles = new ConcurrentSkipListMap<>();

  /** Whether something is expected to change without anybody's doing. */
  enum Outlook {
    PENDING,
    FAILED,
    /** It is left alone on purpose. */
    LEFT
  }

  record Trouble(Outlook outlook, String reason, String message) {}

  /** Whether this was not known of the object before. */
  boolean report(ObjectKey key, Trouble trouble) {
    if (troubles.size() < LISTED_MAX || troubles.containsKey(key)) {
      return !trouble.equals(troubles.put(key, trouble));
    }
    return true;
  }

  void clear(ObjectKey key) {
    troubles.remove(key);
  }

  int count(Outlook outlook) {
    return (int) troubles.values().stream().filter(t -> t.outlook() == outlook).count();
  }

  Map<ObjectKey, Trouble> all() {
    return new TreeMap<>(troubles);
  }
}
