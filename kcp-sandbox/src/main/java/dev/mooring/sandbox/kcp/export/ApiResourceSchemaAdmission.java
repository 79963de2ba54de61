package dev.mooring.sandbox.kcp.export;

import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.kcp.export.decide.ApiResourceSchemaValidator;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import java.util.List;

/** APIResourceSchemas are named for what they describe, and never change. */
public final class ApiResourceSchemaAdmission implements ResourceAdmission {
  @Override
  public void check(AdmissionRequest request) {
    List<String> violations =
        switch (request.operation()) {
          case CREATE -> ApiResourceSchemaValidator.violations(request.object().orElseThrow());
          case UPDATE ->
              ApiResourceSchemaValidator.violationsOfChange(
                  request.previous().orElseThrow(), request.object().orElseThrow());
          case DELETE, CONNECT -> List.of();
        };
    if (!violations.isEmpty()) {
      throw ApiFailure.forbidden(
          request.definition().type(),
          request.object().orElseThrow().name(),
          "[" + String.join(", ", violations) + "]");
    }
  }
}
