package dev.mooring.depcontroller.control;

import dev.mooring.depcontroller.rules.decide.Landscape;
import dev.mooring.depcontroller.rules.decide.Shortfall;
import dev.mooring.model.identity.ObjectKey;
import java.util.Map;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names in the log the rules that protect nothing, or may not, once each: where the schema has no
 * status, nothing else tells their authors. For one thread at a time.
 */
final class ShortfallLog {
  private static final Logger LOG = LoggerFactory.getLogger(ShortfallLog.class);

  private Map<ObjectKey, Shortfall> told = Map.of();

  void tell(Landscape landscape) {
    SortedMap<ObjectKey, Shortfall> now = landscape.shortfalls();
    now.forEach((rule, shortfall) -> {
      if (!shortfall.equals(told.get(rule))) {
        tell(named(rule, landscape), shortfall);
      }
    });
    told.keySet().stream()
        .filter(rule -> !now.containsKey(rule))
        .forEach(rule -> LOG.info("Rule {} is gone, or counts now", named(rule, landscape)));
    told = now;
  }

  private static void tell(String rule, Shortfall shortfall) {
    String line =
        switch (shortfall.kind()) {
          case NOT_COUNTING -> "Rule {} does not count: {}: {}";
          case UNKNOWN -> "Rule {} may not count: {}: {}";
        };
    LOG.warn(line, rule, shortfall.reason(), shortfall.message());
  }

  /** By the path of its workspace, if that is known. */
  private static String named(ObjectKey rule, Landscape landscape) {
    var path = landscape.paths().get(rule.cluster());
    return path == null ? rule.toString() : rule.name() + " in " + path;
  }
}
