package dev.mooring.depwebhook.lookup.decide;

import dev.mooring.model.dependency.Reference;
import dev.mooring.model.dependency.ReferenceReader;
import dev.mooring.model.dependency.References;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Which names each dependent of a list refers to, and at which version it does. Of an object that
 * still has that version, its metadata alone then tells whether it may refer to a target. Holds
 * some 200 bytes of each. Immutable.
 */
public final class KnownDependents {
  /** What of an object is enough to look it up here. */
  public static final FieldMask VERSIONS =
      FieldMask.of(
          List.of(
              List.of("metadata", "name"),
              List.of("metadata", "namespace"),
              List.of("metadata", "uid"),
              List.of("metadata", "resourceVersion")));

  /** Who cannot be told what it refers to, and so may refer to anything. */
  private static final int[] ANYTHING = {};

  private static final int[] NOTHING = {};

  private final Map<UUID, Known> byUid;

  /**
   * @param byUid not copied: nobody may change it any more
   */
  public KnownDependents(Map<UUID, Known> byUid) {
    this.byUid = Collections.unmodifiableMap(byUid);
  }

  /** One object at one version. */
  public static final class Known {
    private final String namespace;
    private final String name;
    private final long resourceVersion;

    /** Hashes of the names it refers to. */
    private final int[] names;

    private Known(String namespace, String name, long resourceVersion, int[] names) {
      this.namespace = namespace;
      this.name = name;
      this.resourceVersion = resourceVersion;
      this.names = names;
    }

    /** Empty of an object whose version tells nothing; it stays unknown. */
    public static Optional<Known> of(KubeObject object, List<ReferenceReader> readers) {
      return version(object)
          .map(version ->
              new Known(
                  object.namespace().intern(), object.name(), version, names(object, readers)));
    }

    private boolean isStill(KubeObject object) {
      return name.equals(object.name())
          && namespace.equals(object.namespace())
          && version(object).equals(Optional.of(resourceVersion));
    }

    private boolean mayMean(Target target) {
      if (names == ANYTHING) {
        return true;
      }
      int wanted = target.key().name().hashCode();
      for (int each : names) {
        if (each == wanted) {
          return true;
        }
      }
      return false;
    }

    private static int[] names(KubeObject object, List<ReferenceReader> readers) {
      var names = new TreeSet<Integer>();
      for (ReferenceReader reader : readers) {
        switch (reader.read(object)) {
          case References.Known(var all) ->
              all.stream().map(Reference::name).map(String::hashCode).forEach(names::add);
          case References.Undecidable(_) -> {
            return ANYTHING;
          }
        }
      }
      return names.isEmpty() ? NOTHING : names.stream().mapToInt(Integer::intValue).toArray();
    }
  }

  /** What is known of one object. */
  public enum Answer {
    /** It is not, or no more, what the list has shown. */
    UNKNOWN,
    REFERS_ELSEWHERE,
    MAY_REFER
  }

  /**
   * @param object of which {@link #VERSIONS} is enough
   */
  public Answer of(KubeObject object, Target target) {
    Known known = uid(object).map(byUid::get).orElse(null);
    if (known == null || !known.isStill(object)) {
      return Answer.UNKNOWN;
    }
    return known.mayMean(target) ? Answer.MAY_REFER : Answer.REFERS_ELSEWHERE;
  }

  public int size() {
    return byUid.size();
  }

  /** Empty of an object whose identity tells nothing. */
  public static Optional<UUID> uid(KubeObject object) {
    try {
      return Optional.of(UUID.fromString(object.uid()));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private static Optional<Long> version(KubeObject object) {
    try {
      return Optional.of(Long.parseLong(object.resourceVersion()));
    } catch (NumberFormatException _) {
      return Optional.empty();
    }
  }
}
