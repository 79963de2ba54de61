package dev.mooring.depcontroller.signature.decide;

import dev.mooring.model.identity.LogicalCluster;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The providers whose webhook configuration the current key has not signed in every entry.
 *
 * @param providers empty once all are signed
 * @param since when they were first seen to be these, under this key
 */
public record UnsignedProviders(SortedSet<LogicalCluster> providers, Instant since) {
  public UnsignedProviders {
    providers = Collections.unmodifiableSortedSet(new TreeSet<>(providers));
  }
}
