package dev.mooring.sandbox.admission.plugin;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionPlugin;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.builtin.core.SigningRequestRules;
import dev.mooring.sandbox.security.authorization.Authorizer;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Who may decide about CertificateSigningRequests: approvals need the verb {@code approve} on the
 * signer, certificates and other conditions {@code sign}. After kubernetes/plugin/pkg/admission.
 */
public record SigningRequestAdmission(Authorizer authorizer) implements AdmissionPlugin.Validating {
  private static final String GROUP = "certificates.k8s.io";
  private static final String CLIENT_SIGNER = "kubernetes.io/kube-apiserver-client";

  @Override
  public String name() {
    return "CertificateApprovalAndSigning";
  }

  @Override
  public void validate(AdmissionRequest request, Consumer<String> warnings) {
    if (request.definition().type().group().equals(GROUP)) {
      switch (request.operation()) {
        case CREATE -> requireNoMasters(request);
        case UPDATE -> requireSigner(request);
        case DELETE, CONNECT -> {
          // Neither signs anything.
        }
      }
    }
  }

  private static void requireNoMasters(AdmissionRequest request) {
    KubeObject object = request.object().orElseThrow();
    if (object.text("spec", "signerName").equals(CLIENT_SIGNER)
        && SigningRequestRules.organizations(object).contains(UserInfo.MASTERS)) {
      throw ApiFailure.forbidden(
          request.definition().type(),
          request.name(),
          "use of %s signer with %s group is not allowed"
              .formatted(CLIENT_SIGNER, UserInfo.MASTERS));
    }
  }

  private void requireSigner(AdmissionRequest request) {
    KubeObject previous = request.previous().orElseThrow();
    switch (request.subresource()) {
      case "approval" -> require(request, "approve", previous);
      case "status" -> {
        if (!statusOf(previous).equals(statusOf(request.object().orElseThrow()))) {
          require(request, "sign", previous);
        }
      }
      default -> {
        // What is left cannot be changed.
      }
    }
  }

  private static Object statusOf(KubeObject request) {
    return Objects.requireNonNullElse(request.at("status"), Map.of());
  }

  private void require(AdmissionRequest request, String verb, KubeObject previous) {
    String signer = previous.text("spec", "signerName");
    String domain = signer.split("/", 2)[0] + "/*";
    if (!may(request, verb, signer) && !may(request, verb, domain)) {
      throw ApiFailure.forbidden(
          request.definition().type(),
          request.name(),
          "user not permitted to %s requests with signerName \"%s\"".formatted(verb, signer));
    }
  }

  private boolean may(AdmissionRequest request, String verb, String signer) {
    return authorizer
        .authorize(
            new AuthorizationAttributes(
                request.user(),
                Optional.of(request.cluster()),
                verb,
                new AuthorizationAttributes.Resource(GROUP, "*", "signers", "", "", signer)))
        .allowed();
  }
}
