package dev.mooring.runtime.watch;

import dev.mooring.model.object.KubeObject;
import java.util.regex.Pattern;

/**
 * Order of resource versions of one type on one server: numbers that grow (Kubernetes 1.35 promises
 * it, etcd always did it). Where they are no numbers, only equal ones can be compared.
 */
final class ResourceVersions {
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  private ResourceVersions() {}

  /** Whether {@code seen} shows less than {@code known}; true if they cannot be compared. */
  static boolean isOlder(KubeObject seen, KubeObject known) {
    String first = seen.resourceVersion();
    String second = known.resourceVersion();
    if (NUMBER.matcher(first).matches() && NUMBER.matcher(second).matches()) {
      return Long.parseLong(first) < Long.parseLong(second);
    }
    return !first.equals(second);
  }
}
