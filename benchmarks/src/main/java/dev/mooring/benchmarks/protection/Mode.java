package dev.mooring.benchmarks.protection;

import dev.mooring.model.identity.ResourceType;
import java.util.Map;

/** A way of protecting, with a type of its own that only its rule protects. */
enum Mode {
  /** Every deletion lists the dependents. */
  STRICT("strict", "networks", "Network", "network", Map.of()),

  /** The webhook follows the dependents. */
  INDEXED("indexed", "subnets", "Subnet", "subnet", Map.of("consistency", "indexed")),

  /** As indexed, and no dependent can be made while its target is deleted. */
  RACE_FREE(
      "race-free",
      "zones",
      "Zone",
      "zone",
      Map.of("consistency", "indexed", "raceProtection", "strict"));

  private final String text;
  private final ResourceType target;
  private final String kind;
  private final String field;
  private final Map<String, Object> rule;

  Mode(String text, String resource, String kind, String field, Map<String, Object> rule) {
    this.text = text;
    this.target = new ResourceType(ProtectionStage.NETWORK, "v1", resource);
    this.kind = kind;
    this.field = field;
    this.rule = rule;
  }

  String text() {
    return text;
  }

  /** The protected type. */
  ResourceType target() {
    return target;
  }

  String kind() {
    return kind;
  }

  /** Of a machine's spec, with the name of the target. */
  String field() {
    return field;
  }

  /** What its rule says besides dependent and dependencies. */
  Map<String, Object> rule() {
    return rule;
  }
}
