package dev.mooring.sandbox.schema.model;

import com.google.common.net.InetAddresses;
import com.google.re2j.Pattern;
import dev.mooring.sandbox.api.validation.NameRules;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The formats that Kubernetes checks in custom resources (apiextensions {@code
 * pkg/apiserver/validation/formats.go}), but those with check digits; all others are ignored.
 */
public final class Formats {
  private static final String HEX8_4 = "(?i)^[0-9a-f]{8}-?[0-9a-f]{4}-?";
  private static final String OCTET = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final Pattern DURATION =
      Pattern.compile("^[-+]?(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+$");

  /** Anywhere in the text. */
  private static final Pattern DURATION_IN_WORDS = Pattern.compile("([0-9]+)\\s*([A-Za-zµ]+)");

  private static final Pattern UNIT =
      Pattern.compile(
          "(?i)ns|nano.*|us|µs|micro.*|ms|milli.*|s|sec.*|m|min.*|h|hr|hour.*|d|day.*|w|wk|week.*");
  private static final String BASE64 =
      "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$";
  private static final Pattern HOSTNAME =
      Pattern.compile(
          "^([a-zA-Z0-9\\p{S}\\p{L}]((-?[a-zA-Z0-9\\p{S}\\p{L}]{0,62})?)"
              + "|([a-zA-Z0-9\\p{S}\\p{L}](([a-zA-Z0-9-\\p{S}\\p{L}]{0,61}"
              + "[a-zA-Z0-9\\p{S}\\p{L}])?)(\\.)){1,}([a-zA-Z\\p{L}]){2,63})$");
  private static final int HOSTNAME_MAX = 255;
  private static final int LABEL_MAX = 63;

  /** Normalized name, without dashes, to check. */
  private static final Map<String, Predicate<String>> TEXT =
      Map.ofEntries(
          Map.entry("bsonobjectid", regex("(?i)^[0-9a-f]{24}$")),
          Map.entry("uri", Formats::uri),
          Map.entry("email", regex("^[^@\\s]+@[^@\\s]+$")),
          Map.entry("hostname", Formats::hostname),
          Map.entry("ipv4", Formats::ipv4),
          Map.entry("ipv6", Formats::ipv6),
          Map.entry("cidr", Formats::cidr),
          Map.entry(
              "mac",
              regex(
                  "^([0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}$|^([0-9a-fA-F]{4}\\.){2}[0-9a-fA-F]{4}$")),
          Map.entry("uuid", regex(HEX8_4 + "[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$")),
          Map.entry("uuid3", regex(HEX8_4 + "3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$")),
          Map.entry("uuid4", regex(HEX8_4 + "4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$")),
          Map.entry("uuid5", regex(HEX8_4 + "5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$")),
          Map.entry("ssn", regex("^\\d{3}[- ]?\\d{2}[- ]?\\d{4}$")),
          Map.entry("hexcolor", regex("^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$")),
          Map.entry(
              "rgbcolor",
              regex(
                  "^rgb\\(\\s*" + OCTET + "\\s*,\\s*" + OCTET + "\\s*,\\s*" + OCTET + "\\s*\\)$")),
          Map.entry("byte", regex(BASE64)),
          Map.entry("password", text -> true),
          Map.entry("date", Formats::date),
          Map.entry("duration", Formats::duration),
          Map.entry("datetime", Formats::dateTime),
          Map.entry("k8sshortname", text -> NameRules.label(text).isEmpty()),
          Map.entry("k8slongname", text -> NameRules.subdomain(text).isEmpty()));

  private static final Set<String> INTEGER = Set.of("int32", "int64");
  private static final Set<String> NUMBER = Set.of("float", "double");

  private Formats() {}

  /** The format if it is checked for values of the type; else empty. */
  public static String supported(String type, String format) {
    boolean checked =
        switch (type) {
          case "", "string" -> TEXT.containsKey(normalized(format));
          case "integer" -> INTEGER.contains(format);
          case "number" -> NUMBER.contains(format);
          default -> false;
        };
    return checked ? format : "";
  }

  /** Whether the text has the format; formats of numbers say nothing about texts. */
  public static boolean matches(String format, String text) {
    Predicate<String> check = TEXT.get(normalized(format));
    return check == null || check.test(text);
  }

  /** A duration as Go writes it. */
  static boolean duration(String text) {
    if (text.equals("0") || DURATION.matcher(text).find()) {
      return true;
    }
    var words = DURATION_IN_WORDS.matcher(text);
    while (words.find()) {
      if (UNIT.matcher(words.group(2)).matches()) {
        return true;
      }
    }
    return false;
  }

  public static boolean date(String text) {
    return parses(() -> LocalDate.parse(text));
  }

  public static boolean dateTime(String text) {
    return parses(() ->
        OffsetDateTime.parse(
            text.toUpperCase(java.util.Locale.ROOT), DateTimeFormatter.ISO_OFFSET_DATE_TIME));
  }

  public static boolean base64(String text) {
    return parses(() -> Base64.getDecoder().decode(text));
  }

  private static boolean uri(String text) {
    try {
      var uri = new URI(text);
      return uri.isAbsolute() || text.startsWith("/");
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static boolean hostname(String text) {
    return HOSTNAME.matcher(text).find()
        && text.length() <= HOSTNAME_MAX
        && java.util.Arrays.stream(text.split("\\.")).allMatch(it -> it.length() <= LABEL_MAX);
  }

  /** Leading zeros are read over, as in Kubernetes. */
  private static boolean ipv4(String text) {
    return text.indexOf(':') < 0
        && InetAddresses.isInetAddress(text.replaceAll("(?<![0-9])0+(?=[0-9])", ""));
  }

  private static boolean ipv6(String text) {
    return text.indexOf(':') >= 0 && text.indexOf('%') < 0 && InetAddresses.isInetAddress(text);
  }

  private static boolean cidr(String text) {
    int slash = text.indexOf('/');
    if (slash < 0 || !text.substring(slash + 1).matches("0|[1-9][0-9]{0,2}")) {
      return false;
    }
    String address = text.substring(0, slash);
    int bits = Integer.parseInt(text.substring(slash + 1));
    return ipv4(address) && bits <= 32 || ipv6(address) && bits <= 128;
  }

  private static boolean parses(Runnable parser) {
    try {
      parser.run();
      return true;
    } catch (DateTimeException | IllegalArgumentException e) {
      return false;
    }
  }

  private static Predicate<String> regex(String source) {
    Pattern pattern = Pattern.compile(source);
    return text -> pattern.matcher(text).find();
  }

  private static String normalized(String format) {
    return format.replace("-", "");
  }
}
