package dev.mooring.console;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The parameters of a request. Those that are empty are as those that are missing. */
public record Query(Map<String, String> parameters) {
  /** More than any name in Kubernetes has. */
  static final int TEXT_MAX = 500;

  private static final int PAGE_MAX = 1_000_000;
  private static final String PAGE = "page";

  public Query {
    var kept = new LinkedHashMap<String, String>();
    parameters.forEach((name, value) -> {
      String text = value.strip();
      if (!text.isEmpty()) {
        kept.put(name, text.substring(0, Math.min(text.length(), TEXT_MAX)));
      }
    });
    parameters = Map.copyOf(kept);
  }

  /** Empty if there is none of this name. */
  public String text(String name) {
    return parameters.getOrDefault(name, "");
  }

  /** For a comparison with texts in lower case. */
  public String lowerCase(String name) {
    return text(name).toLowerCase(Locale.ROOT);
  }

  /** From 1; 1 for what is no number. */
  public int page() {
    try {
      return Math.clamp(Integer.parseInt(text(PAGE)), 1, PAGE_MAX);
    } catch (NumberFormatException e) {
      return 1;
    }
  }

  /** The parameters of another page of the same request. */
  Map<String, String> atPage(int page) {
    var other = new LinkedHashMap<>(parameters);
    other.put(PAGE, Integer.toString(page));
    return other;
  }
}
