package dev.mooring.sandbox.cel.library;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.template.text.Bytes;
import dev.mooring.languages.template.text.GoQuotes;
import dev.mooring.languages.template.text.GoUrl;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** An absolute URL or an absolute path. */
record Url(GoUrl parts) {
  /** {@code url()} and what belongs to it. */
  static final List<Overload> FUNCTIONS =
      List.of(
          Overload.unary("url(string) URL", Url::parse),
          Overload.unary("isURL(string) bool", Url::isValid),
          Overload.unary("(URL) getScheme() string", (Url url) -> url.parts.scheme()),
          Overload.unary("(URL) getHost() string", (Url url) -> Bytes.text(url.parts.host())),
          Overload.unary(
              "(URL) getHostname() string", (Url url) -> Bytes.text(url.parts.hostname())),
          Overload.unary("(URL) getPort() string", (Url url) -> url.parts.port()),
          Overload.unary("(URL) getEscapedPath() string", (Url url) -> url.parts.escapedPath()),
          Overload.unary("(URL) getQuery() map(string,list(string))", Url::parameters));

  /** Throws {@link FunctionError}. */
  static Url parse(String text) {
    int hash = text.indexOf('#');
    try {
      GoUrl whole = GoUrl.parseRequest(Bytes.of(text));
      return new Url(hash < 0 ? whole : GoUrl.parseRequest(Bytes.of(text.substring(0, hash))));
    } catch (ExpressionFailure e) {
      throw new FunctionError(GoQuotes.quote(text) + " is not a URL");
    }
  }

  static boolean isValid(String text) {
    try {
      return GoUrl.parseRequest(Bytes.of(text)) != null;
    } catch (ExpressionFailure e) {
      return false;
    }
  }

  /** Parameters that cannot be read are left out. */
  private Map<String, List<String>> parameters() {
    var parameters = new LinkedHashMap<String, List<String>>();
    for (String pair : Bytes.text(parts.query()).split("&")) {
      if (pair.isEmpty() || pair.contains(";") || pair.matches(".*%(?![0-9a-fA-F]{2}).*")) {
        continue;
      }
      String[] keyAndValue = pair.split("=", 2);
      String value = keyAndValue.length > 1 ? keyAndValue[1] : "";
      parameters
          .computeIfAbsent(
              URLDecoder.decode(keyAndValue[0], StandardCharsets.UTF_8), _ -> new ArrayList<>())
          .add(URLDecoder.decode(value, StandardCharsets.UTF_8));
    }
    return parameters;
  }
}
