package dev.mooring.sandbox.cel.library;

import com.google.common.net.InetAddresses;
import dev.mooring.languages.template.text.GoQuotes;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** A network: an address and how many of its first bits count. */
record Cidr(IpAddress address, int bits) {
  private static final Pattern BITS = Pattern.compile("0|[1-9][0-9]{0,2}");

  /** Throws {@link FunctionError}. */
  static Cidr parse(String text) {
    if (!isValid(text)) {
      throw new FunctionError(GoQuotes.quote(text) + " is not a network in CIDR notation");
    }
    int slash = text.lastIndexOf('/');
    return new Cidr(
        IpAddress.parse(text.substring(0, slash)), Integer.parseInt(text.substring(slash + 1)));
  }

  static boolean isValid(String text) {
    int slash = text.lastIndexOf('/');
    String bits = text.substring(slash + 1);
    return slash >= 0
        && IpAddress.isValid(text.substring(0, slash))
        && BITS.matcher(bits).matches()
        && Integer.parseInt(bits) <= (text.indexOf(':') >= 0 ? 128 : 32);
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
