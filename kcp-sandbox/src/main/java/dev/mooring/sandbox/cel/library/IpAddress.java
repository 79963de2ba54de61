package dev.mooring.sandbox.cel.library;

import com.google.common.net.InetAddresses;
import dev.mooring.languages.template.text.GoQuotes;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** An IPv4 or IPv6 address without a zone, as Go's {@code net/netip} reads it. */
record IpAddress(InetAddress address) {
  /** Throws {@link FunctionError}. */
  static IpAddress parse(String text) {
    int zone = text.indexOf('%');
    String bare = zone > 0 && text.indexOf(':') >= 0 ? text.substring(0, zone) : text;
    problem(bare)
        .ifPresent(why -> {
          throw new FunctionError(
              "IP Address %s parse error during conversion from string: %s"
                  .formatted(GoQuotes.quote(text), why));
        });
    if (!bare.equals(text)) {
      throw new FunctionError(
          "IP address %s with zone value is not allowed".formatted(GoQuotes.quote(text)));
    }
    return unmapped(text, text);
  }

  static boolean isValid(String text) {
    return text.indexOf('%') < 0 && problem(text).isEmpty() && !mapped(text);
  }

  /** Without a zone; throws {@link FunctionError} that cites the shown text. */
  static IpAddress unmapped(String text, String shown) {
    if (mapped(text)) {
      throw new FunctionError(
          "IPv4-mapped IPv6 address %s is not allowed".formatted(GoQuotes.quote(shown)));
    }
    return new IpAddress(InetAddresses.forString(text));
  }

  static boolean mapped(String text) {
    return text.indexOf(':') >= 0 && InetAddresses.forString(text) instanceof Inet4Address;
  }

  /** Why the text is no address, as Go explains it; empty if it is one. */
  static Optional<String> problem(String text) {
    return detail(text).map(why -> "ParseAddr(%s): %s".formatted(GoQuotes.quote(text), why));
  }

  private static Optional<String> detail(String text) {
    if (text.indexOf('%') >= 0) {
      return Optional.of("missing IPv6 address");
    }
    if (text.indexOf(':') >= 0 || text.indexOf('.') < 0) {
      return InetAddresses.isInetAddress(text)
          ? Optional.empty()
          : Optional.of("unable to parse IP");
    }
    List<String> fields = List.of(text.split("\\.", -1));
    int at = 0;
    for (int i = 0; i < fields.size(); i++) {
      String field = fields.get(i);
      for (int j = 0; j < field.length(); j++) {
        if (field.charAt(j) < '0' || field.charAt(j) > '9') {
          return Optional.of(
              "unexpected character (at %s)".formatted(GoQuotes.quote(text.substring(at + j))));
        }
      }
      if (field.isEmpty()) {
        int dot = Math.max(0, i == fields.size() - 1 ? at - 1 : at);
        return Optional.of(
            "IPv4 field must have at least one digit (at %s)"
                .formatted(GoQuotes.quote(text.substring(dot))));
      }
      if (i > 3) {
        return Optional.of("IPv4 address too long");
      }
      if (field.length() > 1 && field.startsWith("0")) {
        return Optional.of("IPv4 field has octet with leading zero");
      }
      if (field.length() > 3 || Integer.parseInt(field) > 255) {
        return Optional.of("IPv4 field has value >255");
      }
      at += field.length() + 1;
    }
    return fields.size() < 4 ? Optional.of("IPv4 address too short") : Optional.empty();
  }

  long family() {
    return address instanceof Inet4Address ? 4 : 6;
  }

  boolean isGlobalUnicast() {
    return !address.isAnyLocalAddress()
        && !address.isLoopbackAddress()
        && !address.isMulticastAddress()
        && !address.isLinkLocalAddress()
        && !toString().equals("255.255.255.255");
  }

  /** The one canonical text of the address. */
  @Override
  public String toString() {
    return InetAddresses.toAddrString(address);
  }
}
