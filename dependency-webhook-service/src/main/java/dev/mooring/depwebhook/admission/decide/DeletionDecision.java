package dev.mooring.depwebhook.admission.decide;

import dev.mooring.depwebhook.rules.decide.Protection;
import java.util.List;

/**
 * A verdict, and the protections that it is about.
 *
 * @param protections empty if rules are not known
 * @param bypassed those of them that the caller bypasses
 */
public record DeletionDecision(
    Verdict verdict, List<Protection> protections, List<Protection> bypassed) {
  public DeletionDecision {
    protections = List.copyOf(protections);
    bypassed = List.copyOf(bypassed);
  }

  /** Qualified names of the rules that are bypassed, each once. */
  public List<String> bypassedRules() {
    return bypassed.stream().map(each -> each.rule().qualifiedName()).distinct().toList();
  }
}
