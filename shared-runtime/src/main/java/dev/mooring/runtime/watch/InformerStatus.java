package dev.mooring.runtime.watch;

import dev.mooring.runtime.client.KubeFailure;
import java.time.Instant;
import java.util.Optional;

/**
 * How far an informer is to be relied on.
 *
 * @param synced whether a whole list was ever seen
 * @param connected whether a watch is open now; if not, the cache may be behind
 * @param objects held now
 * @param lastHeard when the server last said anything; empty if it never did
 * @param lastContact when it last was certain to be heard if it had said something: it did, a watch
 *     was opened, or one ended in the ordinary way; empty if it never was
 * @param lastFailure since the last success; empty if there was none
 */
public record InformerStatus(
    boolean synced,
    boolean connected,
    int objects,
    Optional<Instant> lastHeard,
    Optional<Instant> lastContact,
    Optional<KubeFailure> lastFailure) {}
