package dev.mooring.benchmarks.protection;

import dev.mooring.model.identity.ResourceType;
import java.util.Locale;
import java.util.Map;

/** A way of protecting, with a type of its own that only its rule protects. */
enum Mode {
  /** Every deletion lists the dependents. */
  STRICT("Network", Map.of()),

  /** The webhook follows the dependents. */
  INDEXED("Subnet", Map.of("consistency", "indexed")),

  /** As indexed, and no dependent can be made while its target is deleted. */
  RACE_FREE("Zone", Map.of("consistency", "indexed", "raceProtection", "strict"));

  final String text = name().toLowerCase(Locale.ROOT).replace('_', '-');

  /** Of the protected type. */
  final String kind;

  /** Of a machine's spec, with the name of the target. */
  final String field;

  /** The protected type. */
  final ResourceType target;

  /** What its rule says besides dependent and dependencies. */
  final Map<String, Object> rule;

  Mode(String kind, Map<String, Object> rule) {
    this.kind = kind;
    this.field = kind.toLowerCase(Locale.ROOT);
    this.target = new ResourceType(ProtectionStage.NETWORK, "v1", field + "s");
    this.rule = rule;
  }
}
