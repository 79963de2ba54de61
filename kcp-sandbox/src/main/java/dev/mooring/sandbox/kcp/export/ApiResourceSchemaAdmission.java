package dev.mooring.sandbox.kcp.export;

import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.crd.definition.ApiResourceSchemaValidator;
import dev.mooring.sandbox.kcp.object.Refusal;
import dev.mooring.sandbox.kcp.object.ResourceAdmission;
import java.util.List;

/** APIResourceSchemas are named for what they describe, and never change. */
public final class ApiResourceSchemaAdmission implements ResourceAdmission {
  @Override
  public void check(AdmissionRequest request) {
    List<FieldError> errors =
        switch (request.operation()) {
          case CREATE -> ApiResourceSchemaValidator.onCreate(request.object().orElseThrow());
          case UPDATE ->
              ApiResourceSchemaValidator.onUpdate(
                  request.previous().orElseThrow(), request.object().orElseThrow());
          case DELETE, CONNECT -> List.of();
        };
    Refusal.ofAny(request, errors);
  }
}
