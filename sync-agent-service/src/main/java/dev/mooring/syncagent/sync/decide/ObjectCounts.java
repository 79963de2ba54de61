package dev.mooring.syncagent.sync.decide;

/**
 * Objects of one published type in all workspaces.
 *
 * @param synced synced at their last reconcile
 * @param pending being worked on, or waiting for something that comes by itself
 * @param failed not synced until a consumer or the provider changes something
 */
public record ObjectCounts(long synced, long pending, long failed) {}
