package dev.mooring.sandbox.cel.library;

import com.google.common.net.InetAddresses;
import dev.mooring.languages.template.text.GoQuotes;
import java.net.Inet4Address;
import java.net.InetAddress;

/** An IPv4 or IPv6 address without a zone, as Go's {@code net/netip} reads it. */
record IpAddress(InetAddress address) {
  /** Throws {@link FunctionError}. */
  static IpAddress parse(String text) {
    if (!isValid(text)) {
      throw new FunctionError(GoQuotes.quote(text) + " is not an IP address");
    }
    return new IpAddress(InetAddresses.forString(text));
  }

  static boolean isValid(String text) {
    return isAddress(text) && !mapped(text);
  }

  /** Whether it is an address, or an IPv4 one that is written as an IPv6 one. */
  static boolean isAddress(String text) {
    return text.indexOf('%') < 0 && InetAddresses.isInetAddress(text);
  }

  private static boolean mapped(String text) {
    return text.indexOf(':') >= 0 && InetAddresses.forString(text) instanceof Inet4Address;
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
