package dev.mooring.languages.template.function;

import static dev.mooring.languages.template.function.TemplateFunction.Kind.ANY;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.LIST;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.WHOLE;

import dev.mooring.languages.template.value.Numbers;
import dev.mooring.languages.template.value.Values;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** sprig's functions on lists. Lists are never changed; every function makes a new one. */
final class ListFunctions {
  private ListFunctions() {}

  static void register(FunctionTable table) {
    table
        .makeAny("list tuple", a -> new ArrayList<>(a.all()), ANY)
        .make(
            "append push mustAppend mustPush",
            a -> joined(a.list(0), Collections.singletonList(a.any(1))),
            LIST,
            ANY)
        .make(
            "prepend mustPrepend",
            a -> joined(Collections.singletonList(a.any(1)), a.list(0)),
            LIST,
            ANY)
        .makeAny("concat", ListFunctions::concat, LIST)
        .add("first mustFirst", a -> a.list(0).isEmpty() ? null : a.list(0).getFirst(), LIST)
        .add("last mustLast", a -> a.list(0).isEmpty() ? null : a.list(0).getLast(), LIST)
        .make("rest mustRest", a -> part(a.list(0), 1, a.list(0).size()), LIST)
        .make("initial mustInitial", a -> part(a.list(0), 0, a.list(0).size() - 1), LIST)
        .make("reverse mustReverse", a -> new ArrayList<>(a.list(0).reversed()), LIST)
        .make("uniq mustUniq", a -> uniq(a.list(0)), LIST)
        .make("compact mustCompact", a -> a.list(0).stream().filter(Values::truth).toList(), LIST)
        .makeAny("without mustWithout", ListFunctions::without, LIST, ANY)
        .add("has mustHas", ListFunctions::has, ANY, ANY)
        .makeAny("slice mustSlice", ListFunctions::slice, LIST, ANY)
        .make("chunk mustChunk", ListFunctions::chunk, WHOLE, LIST)
        .make("sortAlpha", a -> sorted(a.any(0)), ANY);
  }

  private static List<Object> joined(List<Object> left, List<Object> right) {
    var all = new ArrayList<>(left);
    all.addAll(right);
    return all;
  }

  private static List<Object> concat(Arguments a) {
    var all = new ArrayList<Object>();
    for (int i = 0; i < a.count(); i++) {
      all.addAll(a.list(i));
    }
    return all;
  }

  private static List<Object> part(List<Object> list, int from, int to) {
    return list.isEmpty() ? list : new ArrayList<>(list.subList(from, to));
  }

  private static List<Object> uniq(List<Object> list) {
    return new ArrayList<>(new java.util.LinkedHashSet<>(list));
  }

  private static List<Object> without(Arguments a) {
    return a.list(0).stream().filter(item -> !contains(a.from(1), item)).toList();
  }

  private static Object has(Arguments a) {
    return switch (a.any(1)) {
      case null -> false;
      case List<?> list -> contains(list, a.any(0));
      default -> throw a.failure("expected a list, got " + Values.type(a.any(1)));
    };
  }

  private static boolean contains(List<?> list, Object wanted) {
    return list.stream().anyMatch(item -> Values.same(item, wanted));
  }

  private static Object slice(Arguments a) {
    List<Object> list = a.list(0);
    if (list.isEmpty()) {
      return null;
    }
    long from = a.count() > 1 ? Numbers.whole(a.any(1)) : 0;
    long to = a.count() > 2 ? Numbers.whole(a.any(2)) : list.size();
    if (from < 0 || to < from || to > list.size()) {
      throw a.failure("slice bounds out of range");
    }
    return new ArrayList<>(list.subList((int) from, (int) to));
  }

  private static Object chunk(Arguments a) {
    long size = a.whole(0);
    if (size <= 0) {
      throw a.failure("a chunk needs a positive size");
    }
    List<Object> list = a.list(1);
    var chunks = new ArrayList<Object>();
    for (long from = 0; from < list.size(); from += size) {
      chunks.add(
          new ArrayList<>(list.subList((int) from, (int) Math.min(list.size(), from + size))));
    }
    return chunks;
  }

  private static Object sorted(Object value) {
    return value instanceof List<?>
        ? new ArrayList<>(TextFunctions.strings(value).stream().sorted().toList())
        : List.of(Values.print(value));
  }
}
