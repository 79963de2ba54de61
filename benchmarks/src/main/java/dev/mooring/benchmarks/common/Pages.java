package dev.mooring.benchmarks.common;

import dev.mooring.harness.HarnessFailure;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A list in pages that is read and discarded. */
public final class Pages {
  public static final int SIZE = 500;

  /** Found in the text: parsing a page takes the client as long as the server to write it. */
  private static final Pattern CONTINUE = Pattern.compile("\"continue\":\"([^\"]+)\"");

  private Pages() {}

  /**
   * @param objects that the list has; another number of pages is a {@link HarnessFailure}
   * @param get what is answered at a URL, as text
   */
  public static void read(String list, int objects, UnaryOperator<String> get) {
    String url = list + "?limit=" + SIZE;
    int pages = 0;
    for (String next = url; !next.isEmpty(); pages++) {
      Matcher token = CONTINUE.matcher(get.apply(next));
      next =
          token.find()
              ? url + "&continue=" + URLEncoder.encode(token.group(1), StandardCharsets.UTF_8)
              : "";
    }
    HarnessFailure.unless(
        pages == Math.ceilDiv(objects, SIZE), objects + " objects came in " + pages + " pages");
  }
}
