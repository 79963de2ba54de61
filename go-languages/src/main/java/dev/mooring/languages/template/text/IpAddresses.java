package dev.mooring.languages.template.text;

import java.util.regex.Pattern;

/** Forms of IP addresses. */
public final class IpAddresses {
  private static final Pattern GROUP = Pattern.compile("[0-9a-fA-F]{1,4}");

  private static final Pattern DOTTED =
      Pattern.compile("(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])(?:\\.(?!$)|$)){4}");

  private IpAddresses() {}

  /** Without a zone; the last two groups may be an IPv4 address. */
  public static boolean isVersion6(String text) {
    int gap = text.indexOf("::");
    if (gap < 0) {
      return groups(text) == 8;
    }
    String before = text.substring(0, gap);
    String after = text.substring(gap + 2);
    int left = before.isEmpty() ? 0 : before.contains(".") ? -1 : groups(before);
    int right = after.isEmpty() ? 0 : groups(after);
    return left >= 0 && right >= 0 && left + right < 8;
  }

  /** Negative if one of them is none. */
  private static int groups(String text) {
    String[] parts = text.split(":", -1);
    int count = 0;
    for (int i = 0; i < parts.length; i++) {
      if (i == parts.length - 1 && DOTTED.matcher(parts[i]).matches()) {
        count += 2;
      } else if (GROUP.matcher(parts[i]).matches()) {
        count++;
      } else {
        return -1;
      }
    }
    return count;
  }
}
