package dev.mooring.sandbox.kcp.claim.decide;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.status.ApiFailure;
import java.util.Map;

/**
 * Applies the selector of an accepted claim to writes through the virtual workspace: the export's
 * owner writes only objects that the claim covers.
 */
public final class ClaimAdmission {
  private ClaimAdmission() {}

  /**
   * With the labels that the selector names and the object lacks. Throws {@link ApiFailure} 403 if
   * that does not make the selector match.
   */
  public static KubeObject admitted(ClaimSelector selector, ResourceType type, KubeObject wished) {
    if (selector.matchesAll()) {
      return wished;
    }
    Map<String, String> present = wished.labels();
    KubeObject labelled = wished;
    for (Map.Entry<String, String> label : selector.labels().entrySet()) {
      String value = present.get(label.getKey());
      if (value == null) {
        labelled = labelled.with(label.getValue(), "metadata", "labels", label.getKey());
      } else if (!value.equals(label.getValue())) {
        throw ApiFailure.forbidden(
            type,
            wished.name(),
            "protected label " + label.getKey() + " must have value " + label.getValue());
      }
    }
    requireCovered(selector, type, labelled);
    return labelled;
  }

  /** Throws {@link ApiFailure} 403 for what the selector does not match. */
  public static void requireCovered(ClaimSelector selector, ResourceType type, KubeObject object) {
    if (!selector.matches(object.labels())) {
      throw ApiFailure.forbidden(type, object.name(), "object does not match required labels");
    }
  }
}
