package dev.mooring.sandbox.cel.library;

import java.util.List;

/** {@code ip()} and {@code cidr()} and what belongs to them. */
final class IpFunctions {
  static final List<Overload> ALL =
      List.of(
          Overload.unary("ip(string) IP", IpAddress::parse),
          Overload.unary("isIP(string) bool", IpAddress::isValid),
          Overload.unary(
              "ip.isCanonical(string) bool",
              (String text) -> IpAddress.parse(text).toString().equals(text)),
          Overload.unary("(IP) family() int", IpAddress::family),
          Overload.unary(
              "(IP) isUnspecified() bool", (IpAddress ip) -> ip.address().isAnyLocalAddress()),
          Overload.unary(
              "(IP) isLoopback() bool", (IpAddress ip) -> ip.address().isLoopbackAddress()),
          Overload.unary(
              "(IP) isLinkLocalMulticast() bool", (IpAddress ip) -> ip.address().isMCLinkLocal()),
          Overload.unary(
              "(IP) isLinkLocalUnicast() bool",
              (IpAddress ip) -> ip.address().isLinkLocalAddress()),
          Overload.unary("(IP) isGlobalUnicast() bool", IpAddress::isGlobalUnicast),
          Overload.unary("string(IP) string", IpAddress::toString),
          Overload.unary("cidr(string) CIDR", Cidr::parse),
          Overload.unary("isCIDR(string) bool", Cidr::isValid),
          Overload.binary(
              "(CIDR) containsIP(string) bool",
              (Cidr cidr, String text) -> cidr.contains(IpAddress.parse(text))),
          Overload.binary(
              "(CIDR) containsIP(IP) bool", (Cidr cidr, IpAddress ip) -> cidr.contains(ip)),
          Overload.binary(
              "(CIDR) containsCIDR(string) bool",
              (Cidr cidr, String text) -> cidr.contains(Cidr.parse(text))),
          Overload.binary(
              "(CIDR) containsCIDR(CIDR) bool", (Cidr cidr, Cidr other) -> cidr.contains(other)),
          Overload.unary("(CIDR) ip() IP", (Cidr cidr) -> cidr.address()),
          Overload.unary("(CIDR) prefixLength() int", (Cidr cidr) -> (long) cidr.bits()),
          Overload.unary("(CIDR) masked() CIDR", Cidr::masked),
          Overload.unary("string(CIDR) string", Cidr::toString));

  private IpFunctions() {}
}
