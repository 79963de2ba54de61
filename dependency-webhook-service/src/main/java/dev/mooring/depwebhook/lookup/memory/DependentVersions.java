package dev.mooring.depwebhook.lookup.memory;

import dev.mooring.depwebhook.reading.ListedObject;
import dev.mooring.model.dependency.Reference;
import dev.mooring.model.dependency.ReferenceReader;
import dev.mooring.model.dependency.References;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.UUID;

/**
 * The dependents of one list: at which version each of them refers to which names. The metadata of
 * an unchanged dependent then tells whether it may refer to a target. About 200 bytes for each.
 * Immutable.
 */
final class DependentVersions {
  /** The metadata that identifies a dependent and its version. */
  static final FieldMask FIELDS =
      FieldMask.of(
          List.of(
              List.of("metadata", "name"),
              List.of("metadata", "namespace"),
              List.of("metadata", "uid"),
              List.of("metadata", "resourceVersion")));

  /** Of a dependent whose references are undecidable. */
  private static final int[] ANY_NAME = {};

  private static final int[] NO_NAME = {};

  private final Map<UUID, Entry> entries;

  private DependentVersions(Map<UUID, Entry> entries) {
    this.entries = entries;
  }

  /** A dependent of another list, compared with this one. */
  enum Comparison {
    /** Not in this list, or with another version. */
    CHANGED,
    REFERS_ELSEWHERE,
    MAY_REFER
  }

  /**
   * A dependent at one version.
   *
   * @param names hash codes of the names that it refers to, sorted
   */
  private record Entry(String namespace, String name, long version, int[] names) {
    private boolean mayMean(Target target) {
      return names == ANY_NAME || Arrays.binarySearch(names, target.key().name().hashCode()) >= 0;
    }

    private boolean isOf(KubeObject object) {
      OptionalLong now = DependentVersions.version(object);
      return now.isPresent()
          && now.getAsLong() == version
          && name.equals(object.name())
          && namespace.equals(object.namespace());
    }
  }

  /**
   * @param version an object of which {@link #FIELDS} are enough
   */
  Comparison compare(ListedObject version, Target target) {
    return version
        .once(this, () -> unchanged(version.object()))
        .map(entry -> entry.mayMean(target) ? Comparison.MAY_REFER : Comparison.REFERS_ELSEWHERE)
        .orElse(Comparison.CHANGED);
  }

  int size() {
    return entries.size();
  }

  private Optional<Entry> unchanged(KubeObject version) {
    return uid(version).map(entries::get).filter(entry -> entry.isOf(version));
  }

  /** Empty if it is none: the object stays unknown. */
  private static Optional<UUID> uid(KubeObject object) {
    try {
      return Optional.of(UUID.fromString(object.uid()));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** Empty if it is no number: the object stays unknown. */
  private static OptionalLong version(KubeObject object) {
    try {
      return OptionalLong.of(Long.parseLong(object.resourceVersion()));
    } catch (NumberFormatException _) {
      return OptionalLong.empty();
    }
  }

  /** Takes the dependents of a list. */
  static final class Builder {
    private final List<ReferenceReader> readers;
    private final Map<UUID, Entry> entries = new HashMap<>();

    Builder(List<ReferenceReader> readers) {
      this.readers = readers;
    }

    void add(ListedObject dependent) {
      KubeObject object = dependent.object();
      Optional<UUID> uid = uid(object);
      OptionalLong version = version(object);
      if (uid.isPresent() && version.isPresent()) {
        entries.put(
            uid.get(),
            new Entry(
                object.namespace().intern(), object.name(), version.getAsLong(), names(dependent)));
      }
    }

    void clear() {
      entries.clear();
    }

    /** To be called once. */
    DependentVersions build() {
      return new DependentVersions(entries);
    }

    private int[] names(ListedObject dependent) {
      var names = new TreeSet<Integer>();
      for (ReferenceReader reader : readers) {
        switch (dependent.references(reader)) {
          case References.Known(var all) ->
              all.stream().map(Reference::name).map(String::hashCode).forEach(names::add);
          case References.Undecidable(_) -> {
            return ANY_NAME;
          }
        }
      }
      return names.isEmpty() ? NO_NAME : names.stream().mapToInt(Integer::intValue).toArray();
    }
  }
}
