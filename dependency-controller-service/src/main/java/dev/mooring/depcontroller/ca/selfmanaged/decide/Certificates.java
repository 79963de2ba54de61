package dev.mooring.depcontroller.ca.selfmanaged.decide;

import java.util.Optional;

/**
 * The certificates of a self-managed CA.
 *
 * @param current the CA that signs; empty before the first
 * @param next the CA that signs next; API servers trust it first
 * @param old the CA that signed before; API servers trust it until no replica serves its
 *     certificate
 * @param serving the webhook's serving certificate
 */
public record Certificates(
    Optional<Issued> current,
    Optional<Issued> next,
    Optional<Issued> old,
    Optional<Issued> serving) {}
