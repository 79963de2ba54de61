package dev.mooring.depcontroller.ca.selfmanaged;

import java.net.InetAddress;
import java.net.URI;

/** The name in the webhook's serving certificate. */
public final class WebhookName {
  private WebhookName() {}

  /**
   * The host in the URL, as it is read back from a certificate; an IPv6 address in full, without
   * brackets.
   *
   * @throws IllegalArgumentException if no certificate can be made for it, saying what to do
   */
  public static String of(String url) {
    String host = URI.create(url).getHost();
    if (host == null) {
      throw new IllegalArgumentException(
          "its host is neither an address nor a DNS name (letters, digits, hyphens and dots), so no"
              + " certificate can be made for it: name the webhook otherwise, or set webhook-ca to"
              + " FILE and make the certificate yourself");
    }
    if (!host.startsWith("[")) {
      return host;
    }
    if (host.indexOf('%') >= 0) {
      throw new IllegalArgumentException(
          "its host is an address with a zone, which means nothing to API servers elsewhere: take"
              + " an address without one");
    }
    return InetAddress.ofLiteral(host.substring(1, host.length() - 1)).getHostAddress();
  }
}
