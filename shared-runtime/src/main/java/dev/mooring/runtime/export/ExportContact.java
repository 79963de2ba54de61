package dev.mooring.runtime.export;

import java.time.Instant;

/**
 * The last contact with one of an {@link ExportView}'s servers.
 *
 * @param at until when every event of the server has been received
 * @param source what is followed, and where
 * @param problem why the watch fails; empty if it does not, or if that is not known
 */
public record ExportContact(Instant at, String source, String problem) {}
