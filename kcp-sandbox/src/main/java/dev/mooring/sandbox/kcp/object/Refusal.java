package dev.mooring.sandbox.kcp.object;

import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.api.validation.FieldError;
import java.util.List;
import java.util.stream.Collectors;

/** How kcp's admission refuses a write: 403, with the name of the object. */
public final class Refusal {
  private Refusal() {}

  public static ApiFailure of(AdmissionRequest request, String why) {
    return ApiFailure.forbidden(
        request.definition().type(), request.object().orElseThrow().name(), why);
  }

  /**
   * As Go prints a list of errors; nothing if the list is empty.
   *
   * @throws ApiFailure if there are errors
   */
  public static void ofAny(AdmissionRequest request, List<FieldError> errors) {
    if (!errors.isEmpty()) {
      String list = errors.stream().map(FieldError::toString).collect(Collectors.joining(" "));
      throw of(request, "[" + list + "]");
    }
  }
}
