package dev.mooring.sandbox.cel.library;

import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import java.util.List;
import java.util.function.Function;

/** {@code url()} and what belongs to it. */
final class UrlFunctions {
  private static final Kind<Url> URL = Kind.opaque("kubernetes.URL", Url.class);
  private static final CelType QUERY =
      MapType.create(SimpleType.STRING, ListType.create(SimpleType.STRING));

  static final List<Overload> ALL =
      List.of(
          Overload.global("url", "string_to_url", Kind.STRING, URL.type(), Url::parse),
          Overload.global("isURL", "is_url_string", Kind.STRING, SimpleType.BOOL, Url::isValid),
          part("getScheme", "url_get_scheme", Url::scheme),
          part("getHost", "url_get_host", Url::host),
          part("getHostname", "url_get_hostname", Url::hostname),
          part("getPort", "url_get_port", Url::port),
          part("getEscapedPath", "url_get_escaped_path", Url::path),
          Overload.member("getQuery", "url_get_query", URL, QUERY, Url::parameters));

  private UrlFunctions() {}

  private static Overload part(String function, String id, Function<Url, String> part) {
    return Overload.member(function, id, URL, SimpleType.STRING, part::apply);
  }
}
