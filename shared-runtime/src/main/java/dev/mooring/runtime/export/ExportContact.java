package dev.mooring.runtime.export;

import java.time.Instant;

/**
 * How long ago one of an {@link ExportView}'s servers was certain to be heard.
 *
 * @param at when what it said, or had it said anything, was last heard
 * @param source what is followed, and where
 * @param problem why it is not heard, as far as that is known; empty if not
 */
public record ExportContact(Instant at, String source, String problem) {}
