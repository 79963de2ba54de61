package dev.mooring.sandbox.cel.library;

import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.function.Predicate;

/** {@code ip()} and {@code cidr()} and what belongs to them. */
final class IpFunctions {
  private static final Kind<IpAddress> IP = Kind.opaque("net.IP", IpAddress.class);
  private static final Kind<Cidr> CIDR = Kind.opaque("net.CIDR", Cidr.class);

  static final List<Overload> ALL =
      List.of(
          Overload.global("ip", "string_to_ip", Kind.STRING, IP.type(), IpAddress::parse),
          Overload.global("isIP", "is_ip", Kind.STRING, SimpleType.BOOL, IpAddress::isValid),
          Overload.global(
              "ip.isCanonical",
              "ip_is_canonical",
              Kind.STRING,
              SimpleType.BOOL,
              text -> IpAddress.parse(text).toString().equals(text)),
          Overload.member("family", "ip_family", IP, SimpleType.INT, IpAddress::family),
          test("isUnspecified", "ip_is_unspecified", ip -> ip.address().isAnyLocalAddress()),
          test("isLoopback", "ip_is_loopback", ip -> ip.address().isLoopbackAddress()),
          test(
              "isLinkLocalMulticast",
              "ip_is_link_local_multicast",
              ip -> ip.address().isMCLinkLocal()),
          test(
              "isLinkLocalUnicast",
              "ip_is_link_local_unicast",
              ip -> ip.address().isLinkLocalAddress()),
          test("isGlobalUnicast", "ip_is_global_unicast", IpAddress::isGlobalUnicast),
          Overload.global("string", "ip_to_string", IP, SimpleType.STRING, IpAddress::toString),
          Overload.global("cidr", "string_to_cidr", Kind.STRING, CIDR.type(), Cidr::parse),
          Overload.global("isCIDR", "is_cidr", Kind.STRING, SimpleType.BOOL, Cidr::isValid),
          Overload.member(
              "containsIP",
              "cidr_contains_ip_string",
              CIDR,
              Kind.STRING,
              SimpleType.BOOL,
              (cidr, text) -> cidr.contains(IpAddress.parse(text))),
          Overload.member(
              "containsIP", "cidr_contains_ip_ip", CIDR, IP, SimpleType.BOOL, Cidr::contains),
          Overload.member(
              "containsCIDR",
              "cidr_contains_cidr_string",
              CIDR,
              Kind.STRING,
              SimpleType.BOOL,
              (cidr, text) -> cidr.contains(Cidr.parse(text))),
          Overload.member(
              "containsCIDR", "cidr_contains_cidr", CIDR, CIDR, SimpleType.BOOL, Cidr::contains),
          Overload.member("ip", "cidr_ip", CIDR, IP.type(), Cidr::address),
          Overload.member(
              "prefixLength",
              "cidr_prefix_length",
              CIDR,
              SimpleType.INT,
              cidr -> (long) cidr.bits()),
          Overload.member("masked", "cidr_masked", CIDR, CIDR.type(), Cidr::masked),
          Overload.global("string", "cidr_to_string", CIDR, SimpleType.STRING, Cidr::toString));

  private IpFunctions() {}

  private static Overload test(String function, String id, Predicate<IpAddress> test) {
    return Overload.member(function, id, IP, SimpleType.BOOL, test::test);
  }
}
