package dev.mooring.depcontroller.signature.decide;

import dev.mooring.model.identity.LogicalCluster;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The keys that sign the URLs of webhook configurations, as decisions see them.
 *
 * @param current whether there is a key that signs
 * @param next whether there is a key that is to sign once every webhook knows it
 * @param old whether the key that signed before is still accepted
 * @param excused providers whose reviews are accepted without a signature; empty where all are
 * @param rotationRequested whether an operator asked for a new key
 */
public record KeyFacts(
    boolean current,
    boolean next,
    boolean old,
    Optional<SortedSet<LogicalCluster>> excused,
    boolean rotationRequested) {
  public KeyFacts {
    excused = excused.map(names -> Collections.unmodifiableSortedSet(new TreeSet<>(names)));
    if (!current && !next) {
      throw new IllegalArgumentException("there is neither a current nor a next key");
    }
  }
}
