package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.lookup.decide.ClientRefusal;
import dev.mooring.depwebhook.reading.Deadline;
import java.util.Optional;

/** What a request that adds references to protected targets has to pass. */
@FunctionalInterface
public interface ReferenceGate {
  /** Empty if the request may go ahead. */
  Optional<ClientRefusal> checkReferences(Review.CreateOrUpdate review, Deadline deadline);
}
