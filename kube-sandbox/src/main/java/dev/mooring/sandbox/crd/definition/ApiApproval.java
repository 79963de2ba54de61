package dev.mooring.sandbox.crd.definition;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.validation.FieldErrors;
import java.net.URI;
import java.net.URISyntaxException;

/** Types in Kubernetes' own groups need an annotation that says who approved them. */
final class ApiApproval {
  private static final String ANNOTATION = "api-approved.kubernetes.io";
  private static final String FIELD = "metadata.annotations[" + ANNOTATION + "]";
  private static final String RULE =
      "protected groups must have approval annotation \"" + ANNOTATION + "\"";
  private static final String SEE = ", see https://github.com/kubernetes/enhancements/pull/1111";

  private ApiApproval() {}

  static void check(KubeObject definition, FieldErrors errors) {
    String group = "." + definition.text("spec", "group");
    String approval = definition.annotation(ANNOTATION).orElse("");
    if (!group.endsWith(".k8s.io") && !group.endsWith(".kubernetes.io")) {
      return;
    }
    if (approval.isEmpty()) {
      errors.required(FIELD, RULE + SEE);
    } else if (!approval.startsWith("unapproved") && !isUrl(approval)) {
      errors.invalid(
          FIELD,
          approval,
          RULE + " with either a URL or a reason starting with \"unapproved\"" + SEE);
    }
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
