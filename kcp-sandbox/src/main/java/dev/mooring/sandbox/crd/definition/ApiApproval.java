package dev.mooring.sandbox.crd.definition;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.status.Conditions.Condition;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.api.validation.GoText;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;

/** Types in Kubernetes' own groups need an annotation that says who approved them. */
final class ApiApproval {
  private static final String ANNOTATION = "api-approved.kubernetes.io";
  private static final String FIELD = "metadata.annotations[" + ANNOTATION + "]";
  private static final String RULE =
      "protected groups must have approval annotation \"" + ANNOTATION + "\"";
  private static final String SEE = ", see https://github.com/kubernetes/enhancements/pull/1111";

  private ApiApproval() {}

  static void check(KubeObject definition, FieldErrors errors) {
    condition(definition)
        .ifPresent(state -> {
          switch (state.reason()) {
            case "MissingAnnotation" -> errors.required(FIELD, state.message());
            case "InvalidAnnotation" ->
                errors.invalid(FIELD, approval(definition), state.message());
            default -> {}
          }
        });
  }

  /** Whether who approved the type is known; empty for groups of others. */
  static Optional<Condition> condition(KubeObject definition) {
    String group = "." + definition.text("spec", "group");
    if (!group.endsWith(".k8s.io") && !group.endsWith(".kubernetes.io")) {
      return Optional.empty();
    }
    String approval = approval(definition);
    if (approval.isEmpty()) {
      return state("False", "MissingAnnotation", RULE + SEE);
    }
    if (approval.startsWith("unapproved")) {
      return state("False", "UnapprovedAnnotation", "not approved: " + GoText.quote(approval));
    }
    return isUrl(approval)
        ? state("True", "ApprovedAnnotation", "approved in " + approval)
        : state(
            "False",
            "InvalidAnnotation",
            RULE + " with either a URL or a reason starting with \"unapproved\"" + SEE);
  }

  private static String approval(KubeObject definition) {
    return definition.annotation(ANNOTATION).orElse("");
  }

  private static Optional<Condition> state(String status, String reason, String message) {
    return Optional.of(
        new Condition("KubernetesAPIApprovalPolicyConformant", status, reason, message));
  }

  private static boolean isUrl(String text) {
    try {
      URI uri = new URI(text);
      return uri.getScheme() != null && uri.getHost() != null;
    } catch (URISyntaxException e) {
      return false;
    }
  }
}
