package dev.mooring.syncagent.endpoint;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.regex.Pattern;

/** The page {@code /metrics}, written as Go programs write it. */
public final class PlainMetrics {
  /** Version 0.0.4 of Prometheus's text format. */
  private static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  /** A whole number as Java writes a double; Go writes 1, and scripts compare texts. */
  private static final Pattern WHOLE = Pattern.compile("(?m)^([^#].* -?[0-9]+)\\.0$");

  private PlainMetrics() {}

  public static PlainServer.Page page(PrometheusMeterRegistry registry) {
    return new PlainServer.Page(200, CONTENT_TYPE, asGoWrites(registry.scrape(CONTENT_TYPE)));
  }

  static String asGoWrites(String text) {
    return WHOLE.matcher(text).replaceAll("$1");
  }
}
