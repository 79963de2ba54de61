package dev.mooring.syncagent.related.decide;

import dev.mooring.model.identity.ObjectKey;
import java.util.Comparator;
import java.util.Objects;

/**
 * Which entry of which primary a copy was made for.
 *
 * @param primaryType qualified, as consumers see it
 */
public record Holder(String primaryType, ObjectKey primary, String identifier)
    implements Comparable<Holder> {
  private static final Comparator<Holder> ORDER =
      Comparator.comparing(Holder::primaryType)
          .thenComparing(Holder::primary)
          .thenComparing(Holder::identifier);

  public Holder {
    Objects.requireNonNull(primaryType, "primaryType");
    Objects.requireNonNull(primary, "primary");
    Objects.requireNonNull(identifier, "identifier");
  }

  @Override
  public int compareTo(Holder other) {
    return ORDER.compare(this, other);
  }
}
