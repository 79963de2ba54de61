package dev.mooring.sandbox.kcp;

import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.api.ApiFailure;
import dev.mooring.sandbox.kcp.decide.ApiResourceSchemaRules;
import java.util.List;

/** APIResourceSchemas are named for what they describe, and never change. */
final class SchemaRule implements KcpRule {
  @Override
  public void check(AdmissionRequest request) {
    List<String> violations =
        switch (request.operation()) {
          case CREATE -> ApiResourceSchemaRules.violations(request.object().orElseThrow());
          case UPDATE ->
              ApiResourceSchemaRules.violationsOfChange(
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
