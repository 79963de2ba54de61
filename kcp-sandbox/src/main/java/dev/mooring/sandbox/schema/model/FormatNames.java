package dev.mooring.sandbox.schema.model;

import com.google.re2j.Pattern;

/** The rules for names of objects and kinds (apimachinery {@code pkg/util/validation}). */
public final class FormatNames {
  private static final int SHORT_MAX = 63;
  private static final int LONG_MAX = 253;
  private static final Pattern LABEL = Pattern.compile("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$");
  private static final Pattern SUBDOMAIN =
      Pattern.compile("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$");
  private static final Pattern DNS_1035 = Pattern.compile("^[a-z]([-a-z0-9]*[a-z0-9])?$");

  private FormatNames() {}

  static boolean shortName(String text) {
    return text.length() <= SHORT_MAX && LABEL.matcher(text).find();
  }

  static boolean longName(String text) {
    return text.length() <= LONG_MAX && SUBDOMAIN.matcher(text).find();
  }

  public static boolean dns1035(String text) {
    return text.length() <= SHORT_MAX && DNS_1035.matcher(text).find();
  }
}
