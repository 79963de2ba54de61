package dev.mooring.console;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Links between pages: relative, so that a proxy may add a prefix. */
public final class Link {
  private Link() {}

  /**
   * @param path of a {@link View}
   */
  public static String to(String path, Map<String, String> parameters) {
    return parameters.isEmpty()
        ? path
        : new TreeMap<>(parameters)
            .entrySet().stream()
                .map(each -> each.getKey() + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&", path + "?", ""));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
