package dev.mooring.sandbox.api.request;

import dev.mooring.sandbox.api.status.ApiFailure;
import java.util.Optional;

/** Serves documents below a view, such as discovery. Thread-safe. */
@FunctionalInterface
public interface DocumentSource {
  /** Empty for a path that is not this source's. Throws {@link ApiFailure}. */
  Optional<DocumentResponse> answer(DocumentRequest request);
}
