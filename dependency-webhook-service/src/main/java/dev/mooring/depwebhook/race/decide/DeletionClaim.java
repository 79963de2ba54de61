package dev.mooring.depwebhook.race.decide;

import java.time.Instant;

/**
 * The register's record of one request that deletes a target.
 *
 * @param id of the review that wrote it, which withdraws this record only
 * @param uid of the target: a later object of the same name is another target
 * @param at by the clock of the replica that wrote it, not before the review arrived
 */
public record DeletionClaim(String id, String uid, Instant at) {}
