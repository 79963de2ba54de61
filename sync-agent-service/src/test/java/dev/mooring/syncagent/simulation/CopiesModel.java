package dev.mooring.syncagent.simulation;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.related.PrimaryCopies;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

/** Listed copies of primaries. */
public record CopiesModel(
    Function<ObjectKey, Optional<KubeObject>> seen,
    Predicate<ObjectKey> unseen,
    Predicate<String> namespaces)
    implements PrimaryCopies {
  @Override
  public Optional<KubeObject> of(ObjectKey primary) {
    return seen.apply(primary);
  }

  @Override
  public boolean areListed() {
    return true;
  }

  @Override
  public boolean mayBeUnseen(ObjectKey primary) {
    return unseen.test(primary);
  }

  @Override
  public boolean areIn(String namespace) {
    return namespaces.test(namespace);
  }
}
