package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Copies of primaries of one published type. Thread-safe.
 *
 * @param seen as last seen; meaningful only while they are listed
 * @param listed whether all of them were listed once
 * @param mayBeUnseen whether one may have been written that is not seen yet
 * @param areIn whether copies of primaries of any type are in a Namespace of the service cluster
 */
public record PrimaryCopies(
    Function<ObjectKey, Optional<KubeObject>> seen,
    BooleanSupplier listed,
    Predicate<ObjectKey> mayBeUnseen,
    Predicate<String> areIn) {
  /** Whether the primary has no copy for certain. */
  boolean isNone(ObjectKey primary) {
    return listed.getAsBoolean() && seen.apply(primary).isEmpty() && !mayBeUnseen.test(primary);
  }
}
