package dev.mooring.model.identity;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Order of API versions as Kubernetes has it: GA above beta above alpha, then by number; anything
 * that is not a version stands below, by name (apimachinery's {@code
 * version.CompareKubeAwareVersionStrings}).
 */
public final class KubeVersions {
  private static final Pattern VERSION = Pattern.compile("v(\\d{1,9})(?:(alpha|beta)(\\d{1,9}))?");

  /** Ascending: the best version last. */
  public static final Comparator<String> ASCENDING = KubeVersions::compare;

  private KubeVersions() {}

  private static int compare(String left, String right) {
    Matcher l = VERSION.matcher(left);
    Matcher r = VERSION.matcher(right);
    boolean leftIs = l.matches();
    boolean rightIs = r.matches();
    if (!leftIs && !rightIs) {
      // Among themselves, strangers sort by name with the first one highest.
      return right.compareTo(left);
    }
    if (leftIs != rightIs) {
      return leftIs ? 1 : -1;
    }
    int byStability = Integer.compare(stability(l), stability(r));
    if (byStability != 0) {
      return byStability;
    }
    int byMajor = Integer.compare(Integer.parseInt(l.group(1)), Integer.parseInt(r.group(1)));
    return byMajor != 0 ? byMajor : Integer.compare(minor(l), minor(r));
  }

  private static int stability(Matcher version) {
    return switch (version.group(2)) {
      case null -> 2;
      case "beta" -> 1;
      default -> 0;
    };
  }

  private static int minor(Matcher version) {
    return version.group(3) == null ? 0 : Integer.parseInt(version.group(3));
  }
}
