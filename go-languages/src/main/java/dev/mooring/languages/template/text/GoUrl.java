package dev.mooring.languages.template.text;

import com.google.common.net.InetAddresses;
import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.template.text.UrlEscapes.Part;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A URL as Go's net/url reads it. Texts are {@link Bytes}.
 *
 * @param opaque what follows the scheme where no slash does
 * @param user with escapes where Go sets them; empty if there is none
 * @param host with its port, an IPv6 address in brackets
 * @param path with its escapes as they are written
 * @param query without the question mark
 */
public record GoUrl(
    String scheme, String opaque, String user, String host, String path, String query) {
  private static final Pattern PORT = Pattern.compile("(:[0-9]*)?");
  private static final Pattern SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*");
  private static final Pattern USER = Pattern.compile("[A-Za-z0-9._:~!$&'()*+,;=%@-]*");
  private static final Pattern ESCAPED = Pattern.compile("[A-Za-z0-9_.~$&+,/:;=@!'()*\\[\\]%-]*");

  /** As {@code url.Parse} reads a URL without its fragment; throws {@link ExpressionFailure}. */
  public static GoUrl parse(String text) {
    return parse(text, false);
  }

  /**
   * As {@code url.ParseRequestURI} reads an absolute URL or an absolute path; throws {@link
   * ExpressionFailure}.
   */
  public static GoUrl parseRequest(String text) {
    return text.equals("*") ? new GoUrl("", "", "", "", "*", "") : parse(text, true);
  }

  private static GoUrl parse(String text, boolean absolute) {
    if (text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
      throw new ExpressionFailure("the URL has a control character");
    }
    int colon = text.indexOf(':');
    if (colon == 0) {
      throw new ExpressionFailure("the scheme of the URL is missing");
    }
    boolean schemed = colon > 0 && SCHEME.matcher(text.substring(0, colon)).matches();
    String scheme = schemed ? text.substring(0, colon).toLowerCase(Locale.ROOT) : "";
    String rest = schemed ? text.substring(colon + 1) : text;
    int question = rest.indexOf('?');
    String query = question < 0 ? "" : rest.substring(question + 1);
    rest = question < 0 ? rest : rest.substring(0, question);
    if (!rest.startsWith("/")) {
      if (schemed) {
        return new GoUrl(scheme, rest, "", "", "", query);
      }
      if (absolute) {
        throw new ExpressionFailure("the URL is not absolute");
      }
      if (rest.split("/", 2)[0].contains(":")) {
        throw new ExpressionFailure("the first segment of the URL's path has a colon");
      }
    }
    String user = "";
    String host = "";
    if (rest.startsWith("//") && (schemed || !absolute && !rest.startsWith("///"))) {
      int slash = rest.indexOf('/', 2);
      String authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
      rest = slash < 0 ? "" : rest.substring(slash);
      int at = authority.lastIndexOf('@');
      host = host(scheme, authority.substring(at + 1));
      user = at < 0 ? "" : user(authority.substring(0, at));
    }
    UrlEscapes.unescape(rest, Part.PATH);
    return new GoUrl(scheme, "", user, host, rest, query);
  }

  private static String host(String scheme, String host) {
    int bracket = host.lastIndexOf('[');
    if (bracket > 0) {
      throw new ExpressionFailure("the URL's host is no IP address");
    }
    if (bracket == 0) {
      return address(host);
    }
    boolean web = scheme.equals("http") || scheme.equals("https");
    int colon = web ? host.indexOf(':') : host.lastIndexOf(':');
    requirePort(colon < 0 ? "" : host.substring(colon));
    return UrlEscapes.unescape(host, Part.HOST);
  }

  private static String address(String host) {
    int end = host.lastIndexOf(']');
    if (end < 0) {
      throw new ExpressionFailure("\"]\" is missing in the URL's host");
    }
    requirePort(host.substring(end + 1));
    String inside = host.substring(1, end);
    int zone = inside.indexOf("%25");
    String address = UrlEscapes.unescape(zone < 0 ? inside : inside.substring(0, zone), Part.HOST);
    String name = zone < 0 ? "" : UrlEscapes.unescape(inside.substring(zone), Part.ZONE);
    if (!address.contains(":") || !InetAddresses.isInetAddress(address) || name.equals("%")) {
      throw new ExpressionFailure("the URL's host is no IPv6 address");
    }
    return "[" + address + name + "]" + host.substring(end + 1);
  }

  private static void requirePort(String port) {
    if (!PORT.matcher(port).matches()) {
      throw new ExpressionFailure("the URL's port is no number");
    }
  }

  private static String user(String text) {
    if (!USER.matcher(text).matches()) {
      throw new ExpressionFailure("the URL's user has a sign that cannot be there");
    }
    int colon = text.indexOf(':');
    return colon < 0
        ? name(text)
        : name(text.substring(0, colon)) + ":" + name(text.substring(colon + 1));
  }

  private static String name(String text) {
    return UrlEscapes.escape(UrlEscapes.unescape(text, Part.USER), Part.USER);
  }

  /** The path as it is if it holds nothing that has to be escaped, otherwise escaped again. */
  public String escapedPath() {
    return ESCAPED.matcher(path).matches()
        ? path
        : UrlEscapes.escape(UrlEscapes.unescape(path, Part.PATH), Part.PATH);
  }

  /** Without the port, and without brackets. */
  public String hostname() {
    String name = host.substring(0, host.length() - portWithColon().length());
    return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
  }

  /** Empty if there is none. */
  public String port() {
    return portWithColon().replaceFirst(":", "");
  }

  private String portWithColon() {
    int colon = host.lastIndexOf(':');
    return colon >= 0 && PORT.matcher(host.substring(colon)).matches() ? host.substring(colon) : "";
  }
}
