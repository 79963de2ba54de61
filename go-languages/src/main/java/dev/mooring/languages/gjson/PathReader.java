package dev.mooring.languages.gjson;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.gjson.PathStep.Separator;
import dev.mooring.languages.gjson.PathStep.Shape;
import dev.mooring.languages.gjson.PathStep.Wanted;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** One reading of a path in a document, with what is left of its budget. */
final class PathReader {
  /** Steps; a reading within it takes well below a second. */
  private static final long BUDGET = 5_000_000;

  private long budget = BUDGET;

  /** A found value and where it, or each item of it, is; nowhere if it was computed. */
  record Place(Json json, List<List<Object>> locations) {}

  /** Null if nothing is there; throws {@link ExpressionFailure} if that takes too long. */
  Place find(Object tree, List<PathStep> steps) {
    return find(Json.of(tree), steps, List.of());
  }

  /** In what has no place in the document, or in nothing. */
  Optional<Json> find(Optional<Json> value, List<PathStep> steps) {
    return Optional.ofNullable(find(value.orElse(null), steps, null)).map(Place::json);
  }

  /**
   * @param here null for nothing
   * @param location null for nowhere
   */
  private Place find(Json here, List<PathStep> steps, List<Object> location) {
    if (--budget < 0) {
      throw new ExpressionFailure("the path takes too many steps");
    }
    if (steps.isEmpty()) {
      return here == null
          ? null
          : new Place(here, location == null ? List.of() : List.of(location));
    }
    PathStep step = steps.getFirst();
    List<PathStep> rest = steps.subList(1, steps.size());
    List<Object> place = step.before() == Separator.PIPE ? null : location;
    return switch (step) {
      case PathStep.Modifier(_, var modifier) ->
          find(modifier.apply(Optional.ofNullable(here), this).orElse(null), rest, null);
      case PathStep.Literal(_, var value) -> find(value.orElse(null), rest, null);
      case PathStep.Multipath multipath -> find(several(multipath, here), rest, null);
      case PathStep.Lines _ ->
          find(
              Json.of(here == null ? List.of() : Collections.singletonList(here.value())),
              rest,
              null);
      case PathStep.Key _, PathStep.Wildcard _, PathStep.Every _, PathStep.Query _ ->
          switch (here == null ? null : here.value()) {
            case Map<?, ?> map -> inMap(map, step, rest, place);
            case List<?> list -> inList(list, step, rest, place);
            case null, default -> null;
          };
    };
  }

  private Json several(PathStep.Multipath multipath, Json here) {
    var found = new ArrayList<Json>();
    var fields = new LinkedHashMap<String, Object>();
    var text = new StringBuilder("{");
    for (PathStep.Selection selection : multipath.selections()) {
      Place place = find(here, selection.path(), null);
      if (place == null) {
        continue;
      }
      if (multipath.shape() == Shape.LIST) {
        found.add(place.json());
      } else {
        // A name that comes again is in the text once more; the first one is the field's value.
        text.append(text.length() > 1 ? "," : "")
            .append(GoJson.quote(selection.name()))
            .append(':')
            .append(place.json().raw());
        GoJson.requireLength(text.length());
        fields.putIfAbsent(selection.name(), place.json().value());
      }
    }
    return multipath.shape() == Shape.LIST
        ? PathModifier.listOf(found)
        : new Json(fields, Optional.of(text.append('}').toString()));
  }

  /** What computes its value of all before it does so of nothing, too. */
  private Place absent(List<PathStep> rest) {
    return !rest.isEmpty()
            && (rest.getFirst().isComputing() || rest.getFirst().before() == Separator.PIPE)
        ? find(null, rest, null)
        : null;
  }

  private Place inMap(Map<?, ?> map, PathStep step, List<PathStep> rest, List<Object> location) {
    return switch (step) {
      case PathStep.Key(_, var name) -> field(map, name, rest, location);
      case PathStep.Every _ -> field(map, "#", rest, location);
      case PathStep.Wildcard(_, var pattern) -> {
        for (Object key : new TreeMap<>(map).keySet()) {
          if (WildcardMatch.matches((String) key, pattern)) {
            Place found = field(map, (String) key, rest, location);
            if (found != null) {
              yield found;
            }
          }
        }
        yield absent(rest);
      }
      default -> null;
    };
  }

  private Place field(Map<?, ?> map, String name, List<PathStep> rest, List<Object> location) {
    return map.containsKey(name)
        ? find(Json.of(map.get(name)), rest, append(location, name))
        : absent(rest);
  }

  private Place inList(List<?> list, PathStep step, List<PathStep> rest, List<Object> location) {
    return switch (step) {
      case PathStep.Key(_, var name) -> {
        int index = JsonPath.index(name);
        yield index >= 0 && index < list.size()
            ? find(Json.of(list.get(index)), rest, append(location, index))
            : absent(rest);
      }
      case PathStep.Every _ -> {
        if (rest.isEmpty() || rest.getFirst().before() == Separator.PIPE) {
          yield find(Json.of((long) list.size()), rest, null);
        }
        yield collect(list, IntStream.range(0, list.size()).boxed().toList(), rest, location);
      }
      case PathStep.Query query -> query(list, query, rest, location);
      default -> absent(rest);
    };
  }

  private Place query(
      List<?> list, PathStep.Query query, List<PathStep> rest, List<Object> location) {
    boolean piped = !rest.isEmpty() && rest.getFirst().before() == Separator.PIPE;
    var fitting = new ArrayList<Integer>();
    for (int i = 0; i < list.size(); i++) {
      if (PathQuery.fits(query, list.get(i), this)) {
        fitting.add(i);
        if (query.wanted() == Wanted.FIRST) {
          return find(Json.of(list.get(i)), rest, append(location, i));
        }
      }
    }
    if (query.wanted() == Wanted.FIRST) {
      return piped ? find(null, rest, null) : null;
    }
    // Where nothing fits, gjson does not come to a pipe behind further components.
    return fitting.isEmpty() && !piped
        ? new Place(Json.of(List.of()), List.of())
        : collect(list, fitting, rest, location);
  }

  /** What the steps up to a pipe find in each of the items, and in that what follows the pipe. */
  private Place collect(
      List<?> list, List<Integer> indexes, List<PathStep> rest, List<Object> location) {
    int pipe = 0;
    while (pipe < rest.size() && rest.get(pipe).before() == Separator.DOT) {
      pipe++;
    }
    var items = new ArrayList<Json>();
    var locations = new ArrayList<List<Object>>();
    for (int index : indexes) {
      Place found = find(Json.of(list.get(index)), rest.subList(0, pipe), append(location, index));
      if (found != null) {
        items.add(found.json());
        locations.addAll(found.locations());
      }
    }
    boolean plain = items.stream().allMatch(item -> item.text().isEmpty());
    Json all =
        plain ? Json.of(items.stream().map(Json::value).toList()) : PathModifier.listOf(items);
    return pipe == rest.size()
        ? new Place(all, locations)
        : find(all, rest.subList(pipe, rest.size()), null);
  }

  private static List<Object> append(List<Object> location, Object step) {
    if (location == null) {
      return null;
    }
    var longer = new ArrayList<>(location);
    longer.add(step);
    return longer;
  }
}
