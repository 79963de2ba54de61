package dev.mooring.depcontroller.control;

import dev.mooring.model.dependency.Authority;
import dev.mooring.model.identity.ObjectKey;
import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names in the log the rules that have no authority, once each: where the schema has no status,
 * nothing else tells their authors. For one thread at a time.
 */
final class AuthorityLog {
  private static final Logger LOG = LoggerFactory.getLogger(AuthorityLog.class);

  private Map<ObjectKey, Authority> told = Map.of();

  /**
   * @param lacking all rules that have none now, or of which nobody can tell
   */
  void tell(Map<ObjectKey, Authority> lacking) {
    lacking.forEach((rule, authority) -> {
      if (!authority.equals(told.get(rule))) {
        tell(rule, authority);
      }
    });
    told.keySet().stream()
        .filter(rule -> !lacking.containsKey(rule))
        .forEach(rule -> LOG.info("Rule {} is gone, or has authority now", rule));
    told = new TreeMap<>(lacking);
  }

  private static void tell(ObjectKey rule, Authority authority) {
    switch (authority) {
      case Authority.Denied(var reason, var message) ->
          LOG.warn("Rule {} does not count: {}: {}", rule, reason.text(), message);
      case Authority.Unknown(var message) ->
          LOG.warn("Rule {} counts, as nobody can tell whether it may: {}", rule, message);
      case Authority.Granted() -> {}
    }
  }
}
