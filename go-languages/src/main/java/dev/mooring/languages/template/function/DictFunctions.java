package dev.mooring.languages.template.function;

import static dev.mooring.languages.template.function.TemplateFunction.Kind.ANY;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.MAP;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.TEXT;

import dev.mooring.languages.template.value.Values;
import java.util.ArrayList;
import java.util.Map;
import java.util.TreeMap;

/**
 * sprig's functions on maps. Maps that a template made can be changed by it; those of an object
 * cannot. Keys are sorted wherever Go has no order.
 */
final class DictFunctions {
  private DictFunctions() {}

  static void register(FunctionTable table) {
    table
        .makeAny("dict", DictFunctions::dict, ANY)
        .add("get", a -> a.map(0).containsKey(a.text(1)) ? a.map(0).get(a.text(1)) : "", MAP, TEXT)
        .add("hasKey", a -> a.map(0).containsKey(a.text(1)), MAP, TEXT)
        .make("set", DictFunctions::set, MAP, TEXT, ANY)
        .add("unset", DictFunctions::unset, MAP, TEXT)
        .makeAny("pluck", DictFunctions::pluck, TEXT, MAP)
        .makeAny("keys", DictFunctions::keys, MAP)
        .make("values", a -> new ArrayList<>(new TreeMap<>(a.map(0)).values()), MAP)
        .makeAny("pick", a -> filtered(a, Wanted.NAMED), MAP, TEXT)
        .makeAny("omit", a -> filtered(a, Wanted.OTHERS), MAP, TEXT)
        .makeAny("merge mustMerge", a -> merged(a, Winner.FIRST), MAP, MAP)
        .makeAny("mergeOverwrite mustMergeOverwrite", a -> merged(a, Winner.LAST), MAP, MAP)
        .make("deepCopy mustDeepCopy", a -> Values.copy(a.any(0)), ANY)
        .any("dig", DictFunctions::dig, TEXT, ANY, ANY, ANY);
  }

  private static Object dict(Arguments a) {
    var map = new TreeMap<String, Object>();
    for (int i = 0; i < a.count(); i += 2) {
      map.put(Values.print(a.any(i)), i + 1 < a.count() ? a.any(i + 1) : "");
    }
    return map;
  }

  /** Throws for a map of an object, which a template must not change. */
  private static Map<String, Object> own(Arguments a) {
    if (a.any(0) instanceof TreeMap<?, ?>) {
      return a.map(0);
    }
    throw a.failure("a map of an object cannot be changed; change a deepCopy of it");
  }

  private static Object set(Arguments a) {
    Map<String, Object> map = own(a);
    // A copy: a map that held itself could never be printed.
    map.put(a.text(1), Values.copy(a.any(2)));
    return map;
  }

  private static Object unset(Arguments a) {
    own(a).remove(a.text(1));
    return a.map(0);
  }

  private static Object pluck(Arguments a) {
    var found = new ArrayList<Object>();
    for (int i = 1; i < a.count(); i++) {
      if (a.map(i).containsKey(a.text(0))) {
        found.add(a.map(i).get(a.text(0)));
      }
    }
    return found;
  }

  private static Object keys(Arguments a) {
    var keys = new ArrayList<Object>();
    for (int i = 0; i < a.count(); i++) {
      keys.addAll(new TreeMap<>(a.map(i)).keySet());
    }
    return keys;
  }

  private enum Wanted {
    NAMED,
    OTHERS
  }

  private static Object filtered(Arguments a, Wanted wanted) {
    var map = new TreeMap<>(a.map(0));
    map.keySet().removeIf(key -> a.from(1).contains(key) == (wanted == Wanted.OTHERS));
    return map;
  }

  private enum Winner {
    FIRST,
    LAST
  }

  private static Object merged(Arguments a, Winner winner) {
    Map<String, Object> target = own(a);
    for (int i = 1; i < a.count(); i++) {
      merge(target, a.map(i), winner);
    }
    return target;
  }

  /** An empty value never keeps another out. */
  private static void merge(Map<String, Object> target, Map<String, Object> source, Winner winner) {
    source.forEach((key, value) -> {
      Object present = target.get(key);
      if (present instanceof Map<?, ?> && value instanceof Map<?, ?>) {
        @SuppressWarnings("unchecked") // a copy has maps with string keys
        var inner = (Map<String, Object>) Values.copy(present);
        @SuppressWarnings("unchecked") // keys of trees are strings
        var other = (Map<String, Object>) value;
        merge(inner, other, winner);
        target.put(key, inner);
      } else if (!target.containsKey(key) || Values.empty(present) || winner == Winner.LAST) {
        target.put(key, Values.copy(value));
      }
    });
  }

  private static Object dig(Arguments a) {
    if (!(a.any(a.count() - 1) instanceof Map<?, ?> map)) {
      throw a.failure("expected a map, got " + Values.type(a.any(a.count() - 1)));
    }
    Object here = map;
    for (Object key : a.all().subList(0, a.count() - 2)) {
      if (!(key instanceof String)) {
        throw a.failure("expected a string, got " + Values.type(key));
      }
      if (!(here instanceof Map<?, ?> step)) {
        throw a.failure("expected a map, got " + Values.type(here));
      }
      if (!step.containsKey(key)) {
        return a.any(a.count() - 2);
      }
      here = step.get(key);
    }
    return here;
  }
}
