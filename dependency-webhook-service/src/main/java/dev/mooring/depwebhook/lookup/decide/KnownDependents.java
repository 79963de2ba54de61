package dev.mooring.depwebhook.lookup.decide;

import dev.mooring.model.dependency.Reference;
import dev.mooring.model.dependency.ReferenceReader;
import dev.mooring.model.dependency.References;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import java.util.HashMap;
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

  private KnownDependents(Map<UUID, Known> byUid) {
    this.byUid = byUid;
  }

  /**
   * One object at one version.
   *
   * @param names hashes of those it refers to
   */
  private record Known(String namespace, String name, long resourceVersion, int[] names) {
    boolean isStill(KubeObject object) {
      return name.equals(object.name())
          && namespace.equals(object.namespace())
          && version(object).equals(Optional.of(resourceVersion));
    }

    boolean mayMean(Target target) {
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

  /** Takes down what a list shows. Used by one thread at a time. */
  public static final class Notes {
    private final List<ReferenceReader> readers;
    private final int most;
    private Map<UUID, Known> byUid = new HashMap<>();
    private String namespace = "";

    /**
     * @param most objects; of a longer list nothing is known
     */
    public Notes(List<ReferenceReader> readers, int most) {
      this.readers = List.copyOf(readers);
      this.most = most;
    }

    /** An object without identity or version stays unknown. */
    public void take(KubeObject object) {
      if (byUid == null) {
        return;
      }
      Optional<Long> version = version(object);
      Optional<UUID> uid = uid(object);
      if (version.isEmpty() || uid.isEmpty()) {
        return;
      }
      if (byUid.size() == most) {
        byUid = null;
        return;
      }
      if (!namespace.equals(object.namespace())) {
        // One string for all that follow each other in it.
        namespace = object.namespace();
      }
      byUid.put(uid.get(), new Known(namespace, object.name(), version.get(), names(object)));
    }

    /** To be asked once the list has been read to its end. Empty if it was too long. */
    public Optional<KnownDependents> done() {
      return Optional.ofNullable(byUid).map(KnownDependents::new);
    }

    private int[] names(KubeObject object) {
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

  private static Optional<UUID> uid(KubeObject object) {
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
