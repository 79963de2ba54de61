package dev.mooring.syncagent.related.resolve;

import dev.mooring.syncagent.published.LabelSelector;

/** What a selector looked for. */
public record Search(Area area, LabelSelector labels) {}
