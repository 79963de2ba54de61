package dev.mooring.languages.template.function;

import dev.mooring.languages.template.function.TemplateFunction.Body;
import dev.mooring.languages.template.function.TemplateFunction.Kind;
import dev.mooring.languages.template.function.TemplateFunction.Result;
import dev.mooring.languages.template.function.TemplateFunction.ShortCircuit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects functions by name; a function with several names has blanks between them. */
final class FunctionTable {
  /** Arguments of one call; more are a mistake. */
  private static final int VARIADIC_MAX = 64;

  private final Map<String, TemplateFunction> functions = new HashMap<>();

  /** One argument per kind. */
  FunctionTable add(String name, Body body, Kind... kinds) {
    return put(name, body, kinds.length, kinds.length, Result.GIVEN, kinds);
  }

  /** As {@link #add}, for a function that makes a list or map. */
  FunctionTable make(String name, Body body, Kind... kinds) {
    return put(name, body, kinds.length, kinds.length, Result.MADE, kinds);
  }

  /** Any number of arguments of the last kind. */
  FunctionTable any(String name, Body body, Kind... kinds) {
    return put(name, body, kinds.length - 1, VARIADIC_MAX, Result.GIVEN, kinds);
  }

  /** As {@link #any}, for a function that makes a list or map. */
  FunctionTable makeAny(String name, Body body, Kind... kinds) {
    return put(name, body, kinds.length - 1, VARIADIC_MAX, Result.MADE, kinds);
  }

  /** The last argument may be left out. */
  FunctionTable optional(String name, Body body, Kind... kinds) {
    return put(name, body, kinds.length - 1, kinds.length, Result.GIVEN, kinds);
  }

  FunctionTable shortCircuit(String name, ShortCircuit decisive) {
    functions.put(
        name,
        new TemplateFunction(
            name, List.of(Kind.ANY), 1, VARIADIC_MAX, Result.GIVEN, decisive, Arguments::all));
    return this;
  }

  Map<String, TemplateFunction> toMap() {
    return Map.copyOf(functions);
  }

  private FunctionTable put(
      String names, Body body, int least, int most, Result result, Kind... kinds) {
    for (String name : names.split(" ")) {
      functions.put(
          name, new TemplateFunction(name, List.of(kinds), least, most, result, null, body));
    }
    return this;
  }
}
