package dev.mooring.syncagent.published;

import dev.mooring.model.identity.ResourceType;

/** A served type in the one version that is read and written. */
public record ApiType(ResourceType resource, String kind, Scope scope) {}
