package dev.mooring.languages.template.function;

import static dev.mooring.languages.template.function.TemplateFunction.Kind.ANY;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.FLAG;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.TEXT;

import dev.mooring.languages.template.format.GoFormat;
import dev.mooring.languages.template.function.TemplateFunction.ShortCircuit;
import dev.mooring.languages.template.text.Texts;
import dev.mooring.languages.template.value.Values;
import java.util.List;
import java.util.Map;

/** Logic, comparison, access and printing: Go's own functions, and sprig's defaults and types. */
final class BasicFunctions {
  private BasicFunctions() {}

  static void register(FunctionTable table) {
    table
        .shortCircuit("and", ShortCircuit.FALSE)
        .shortCircuit("or", ShortCircuit.TRUE)
        .add("not", a -> !Values.truth(a.any(0)), ANY)
        .any("eq", a -> a.from(1).stream().anyMatch(other -> equal(a, other)), ANY, ANY, ANY)
        .add("ne", a -> !Values.equal(a.any(0), a.any(1)), ANY, ANY)
        .add("lt", a -> Values.compare(a.any(0), a.any(1)) < 0, ANY, ANY)
        .add("le", a -> Values.compare(a.any(0), a.any(1)) <= 0, ANY, ANY)
        .add("gt", a -> Values.compare(a.any(0), a.any(1)) > 0, ANY, ANY)
        .add("ge", a -> Values.compare(a.any(0), a.any(1)) >= 0, ANY, ANY)
        .any("index", BasicFunctions::index, ANY, ANY)
        .add("len", BasicFunctions::length, ANY)
        .any("print", a -> GoFormat.print(a.all()), ANY)
        .any("println", a -> GoFormat.printLine(a.all()), ANY)
        .any("printf", a -> GoFormat.format(a.text(0), a.from(1)), TEXT, ANY)
        .any("default", BasicFunctions::defaulted, ANY, ANY)
        .add("empty", a -> Values.empty(a.any(0)), ANY)
        .any("coalesce", BasicFunctions::coalesce, ANY)
        .any("all", a -> a.all().stream().noneMatch(Values::empty), ANY)
        .any("any", a -> a.all().stream().anyMatch(Values::truth), ANY)
        .add("ternary", a -> a.flag(2) ? a.any(0) : a.any(1), ANY, ANY, FLAG)
        .add("fail", BasicFunctions::fail, TEXT)
        .add("hello", _ -> "Hello!")
        .add("typeOf", a -> Values.goType(a.any(0)), ANY)
        .add("typeIs", a -> a.text(0).equals(Values.goType(a.any(1))), TEXT, ANY)
        .add("typeIsLike", a -> a.text(0).equals(Values.goType(a.any(1))), TEXT, ANY)
        .add("kindOf", a -> Values.goKind(a.any(0)), ANY)
        .add("kindIs", a -> a.text(0).equals(Values.goKind(a.any(1))), TEXT, ANY)
        .add("deepEqual", a -> Values.same(a.any(0), a.any(1)), ANY, ANY);
  }

  private static boolean equal(Arguments a, Object other) {
    return Values.equal(a.any(0), other);
  }

  private static Object defaulted(Arguments a) {
    Object given = a.count() > 1 ? a.any(1) : null;
    return Values.empty(given) ? a.any(0) : given;
  }

  private static Object coalesce(Arguments a) {
    return a.all().stream().filter(Values::truth).findFirst().orElse(null);
  }

  /** The message is the template's own. */
  private static Object fail(Arguments a) {
    throw a.failure(a.text(0));
  }

  private static Object index(Arguments a) {
    Object here = a.any(0);
    if (here == null) {
      throw a.failure("index of nil");
    }
    for (Object index : a.from(1)) {
      here =
          switch (here) {
            case null -> throw a.failure("index of nil");
            case Map<?, ?> map -> {
              if (!(index instanceof String)) {
                throw a.failure("a map needs a string, got " + Values.type(index));
              }
              yield map.get(index);
            }
            case List<?> list -> list.get(position(a, index, list.size()));
            case String text -> {
              byte[] bytes = text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
              yield (long) (bytes[position(a, index, bytes.length)] & 0xff);
            }
            default -> throw a.failure("can't index " + Values.type(here));
          };
    }
    return here;
  }

  private static int position(Arguments a, Object index, int size) {
    if (!(index instanceof Long position)) {
      throw a.failure("a list needs a whole number, got " + Values.type(index));
    }
    if (position < 0 || position >= size) {
      throw a.failure("index out of range: " + position);
    }
    return position.intValue();
  }

  private static Object length(Arguments a) {
    return switch (a.any(0)) {
      case String text -> (long) Texts.length(text);
      case List<?> list -> (long) list.size();
      case Map<?, ?> map -> (long) map.size();
      case null, default -> throw a.failure(Values.type(a.any(0)) + " has no length");
    };
  }
}
