package dev.mooring.syncagent.sync.decide;

/**
 * Objects of one published type in all workspaces.
 *
 * @param synced in step when they were last looked at
 * @param pending being worked on, or waiting for something that comes by itself
 * @param failed not in step until somebody does something
 */
public record ObjectCounts(long synced, long pending, long failed) {}
