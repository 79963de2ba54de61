package dev.mooring.model.object;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which fields of a document a client needs; the rest need not be kept, or even be built. Lists are
 * passed through: a step after a list is one of its items.
 */
public final class FieldMask {
  /** Everything. */
  public static final FieldMask ALL = new FieldMask(Map.of(), true);

  private final Map<String, FieldMask> fields;
  private final boolean all;

  private FieldMask(Map<String, FieldMask> fields, boolean all) {
    this.fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    this.all = all;
  }

  /**
   * @param paths of map keys, each with everything below it; the empty path is everything
   */
  public static FieldMask of(Collection<List<String>> paths) {
    if (paths.stream().anyMatch(List::isEmpty)) {
      return ALL;
    }
    var below = new TreeMap<String, Collection<List<String>>>();
    for (List<String> path : paths) {
      below
          .computeIfAbsent(path.getFirst(), _ -> new ArrayList<>())
          .add(path.subList(1, path.size()));
    }
    var fields = new LinkedHashMap<String, FieldMask>();
    below.forEach((name, rest) -> fields.put(name, of(rest)));
    return new FieldMask(fields, false);
  }

  /** What is needed of a field; null if nothing is. */
  public @Nullable FieldMask below(String field) {
    return all ? ALL : fields.get(field);
  }

  /** What is left of an object. */
  public KubeObject apply(KubeObject object) {
    return all ? object : KubeObject.owning(Trees.mapOrEmpty(kept(object.tree())));
  }

  private Object kept(Object value) {
    if (all) {
      return value;
    }
    return switch (value) {
      case Map<?, ?> map -> {
        var kept = new LinkedHashMap<String, Object>();
        map.forEach((name, item) -> {
          FieldMask mask = fields.get(name);
          if (mask != null) {
            kept.put((String) name, mask.kept(item));
          }
        });
        yield Trees.owned(kept);
      }
      case List<?> list -> {
        var kept = new ArrayList<Object>(list.size());
        list.forEach(item -> kept.add(kept(item)));
        yield Trees.owned(kept);
      }
      case null, default -> value;
    };
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FieldMask that && all == that.all && fields.equals(that.fields);
  }

  @Override
  public int hashCode() {
    return fields.hashCode();
  }

  @Override
  public String toString() {
    return all ? "*" : fields.toString();
  }
}
