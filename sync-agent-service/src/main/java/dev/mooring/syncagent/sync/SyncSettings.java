package dev.mooring.syncagent.sync;

import dev.mooring.syncagent.published.Adoption;

/**
 * What the agent's configuration says about syncing.
 *
 * @param adoption where a PublishedResource says nothing
 * @param workers objects of one published type that are worked on at the same time
 * @param stateNamespace on the service cluster, for the states of copies that live in kcp
 */
public record SyncSettings(
    String agentName, Adoption adoption, int workers, String stateNamespace) {}
