package dev.mooring.sandbox.cel.library;

import com.google.common.net.InetAddresses;
import dev.mooring.languages.template.text.GoQuotes;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** A network: an address and how many of its first bits count. */
record Cidr(IpAddress address, int bits) {
  private static final String CONTEXT =
      "network address parse error during conversion from string: ";

  /** Throws {@link FunctionError}. */
  static Cidr parse(String text) {
    problem(text)
        .ifPresent(why -> {
          throw new FunctionError(
              CONTEXT + CONTEXT + "netip.ParsePrefix(%s): %s".formatted(GoQuotes.quote(text), why));
        });
    int slash = text.lastIndexOf('/');
    if (IpAddress.mapped(text.substring(0, slash))) {
      throw new FunctionError(
          CONTEXT + "IPv4-mapped IPv6 address %s is not allowed".formatted(GoQuotes.quote(text)));
    }
    return new Cidr(
        IpAddress.unmapped(text.substring(0, slash), text),
        Integer.parseInt(text.substring(slash + 1)));
  }

  static boolean isValid(String text) {
    return problem(text).isEmpty() && !IpAddress.mapped(text.substring(0, text.lastIndexOf('/')));
  }

  private static Optional<String> problem(String text) {
    int slash = text.lastIndexOf('/');
    if (slash < 0) {
      return Optional.of("no '/'");
    }
    String address = text.substring(0, slash);
    Optional<String> wrong = IpAddress.problem(address);
    if (wrong.isPresent()) {
      return wrong;
    }
    String bits = text.substring(slash + 1);
    if (!bits.matches("0|[1-9][0-9]{0,5}")) {
      return Optional.of("bad bits after slash: " + GoQuotes.quote(bits));
    }
    return Integer.parseInt(bits) > (address.indexOf(':') >= 0 ? 128 : 32)
        ? Optional.of("prefix length out of range")
        : Optional.empty();
  }

  boolean contains(IpAddress other) {
    return address.family() == other.family()
        && address(bits).equals(new Cidr(other, bits).address(bits));
  }

  boolean contains(Cidr other) {
    return bits <= other.bits && contains(other.address);
  }

  Cidr masked() {
    return new Cidr(address(bits), bits);
  }

  private IpAddress address(int kept) {
    byte[] bytes = address.address().getAddress();
    for (int i = 0; i < bytes.length; i++) {
      int here = Math.clamp(kept - i * 8L, 0, 8);
      bytes[i] = (byte) (bytes[i] & 0xff << 8 - here);
    }
    try {
      return new IpAddress(InetAddress.getByAddress(bytes));
    } catch (UnknownHostException e) {
      throw new IllegalStateException(InetAddresses.toAddrString(address.address()), e);
    }
  }

  @Override
  public String toString() {
    return address + "/" + bits;
  }
}
