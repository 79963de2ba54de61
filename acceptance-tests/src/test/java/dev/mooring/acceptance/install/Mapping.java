package dev.mooring.acceptance.install;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where that which a container sees is on this machine.
 *
 * @param mounts directories by the path where a container has them
 * @param addresses {@code host:port} on loopback by the {@code host:port} of a network of
 *     containers
 */
record Mapping(Map<String, Path> mounts, Map<String, String> addresses) {
  private static final String LOOPBACK = "127.0.0.1";

  Mapping {
    mounts = Map.copyOf(mounts);
    addresses = Map.copyOf(addresses);
  }

  List<String> apply(List<String> texts) {
    return texts.stream().map(this::apply).toList();
  }

  /** The text with every path and address as it is here. */
  String apply(String text) {
    String mapped = text;
    for (var address : addresses.entrySet()) {
      String[] from = address.getKey().split(":", 2);
      String[] to = address.getValue().split(":", 2);
      mapped =
          mapped.replace("/dev/tcp/" + from[0] + "/" + from[1], "/dev/tcp/" + to[0] + "/" + to[1]);
      mapped =
          mapped.replaceAll(
              "(?<![\\w.-])" + Pattern.quote(address.getKey()) + "(?!\\d)", address.getValue());
      if (mapped.equals(from[0])) {
        mapped = LOOPBACK;
      }
    }
    return paths(mapped);
  }

  /** In one pass: what is put in place of a path is not looked at again. */
  private String paths(String text) {
    if (mounts.isEmpty()) {
      return text;
    }
    String paths =
        mounts.keySet().stream()
            .sorted(Comparator.comparing(String::length).reversed())
            .map(Pattern::quote)
            .collect(Collectors.joining("|"));
    return Pattern.compile("(?<![\\w./-])(" + paths + ")(?![\\w.-])")
        .matcher(text)
        .replaceAll(found -> Matcher.quoteReplacement(mounts.get(found.group(1)).toString()));
  }
}
