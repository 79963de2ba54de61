package dev.mooring.runtime.watch;

import dev.mooring.runtime.client.KubeFailure;
import java.time.Instant;
import java.util.Optional;

/**
 * How far an informer is to be relied on.
 *
 * @param synced whether a whole list was ever seen
 * @param connected whether a watch is open now, or is just being opened again after the server
 *     ended it in the ordinary way; if not, the cache may be behind
 * @param objects held now
 * @param lastEventAt of the last answer, event or bookmark; empty before the first
 * @param lastContact up to when it is certain that nothing of what the server knew is missing;
 *     empty if it never was
 * @param lastFailure since the last success; empty if there was none
 */
public record InformerStatus(
    boolean synced,
    boolean connected,
    int objects,
    Optional<Instant> lastEventAt,
    Optional<Instant> lastContact,
    Optional<KubeFailure> lastFailure) {}
