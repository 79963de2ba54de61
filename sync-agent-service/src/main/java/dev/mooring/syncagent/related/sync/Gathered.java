package dev.mooring.syncagent.related.sync;

import dev.mooring.syncagent.related.resolve.ReadSet;
import dev.mooring.syncagent.related.resolve.decide.Resolution;
import dev.mooring.syncagent.related.sync.decide.RelatedSet;

/** What a pass over an entry works on. */
public record Gathered(RelatedSet set, Resolution resolution, ReadSet looked) {}
