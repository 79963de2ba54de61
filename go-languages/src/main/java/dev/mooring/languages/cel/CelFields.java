package dev.mooring.languages.cel;

import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.mooring.languages.FieldStep;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Follows a variable through an expression, also through the macros that go through lists. */
final class CelFields {
  /** How CEL's parser names {@code a[b]}, {@code a + b} and {@code a ? b : c}. */
  static final String INDEX = "_[_]";

  private static final String ADD = "_+_";
  private static final String CONDITIONAL = "_?_:_";

  private final Set<List<FieldStep>> found = new LinkedHashSet<>();

  /** What an expression yields, as far as that comes from the variable. */
  private sealed interface Value {
    /** What is at a path. */
    record At(List<FieldStep> path) implements Value {}

    /** A list whose items are at a path. */
    record ListOf(Value item) implements Value {}

    record Other() implements Value {}
  }

  private static final Value OTHER = new Value.Other();

  private CelFields() {}

  static Set<List<FieldStep>> of(CelExpr root, String variable) {
    var fields = new CelFields();
    fields.value(root, Map.of(variable, new Value.At(List.of())));
    return fields.found;
  }

  private Value value(CelExpr expression, Map<String, Value> variables) {
    return switch (expression.getKind()) {
      case IDENT -> variables.getOrDefault(expression.ident().name(), OTHER);
      case SELECT ->
          field(
              value(expression.select().operand(), variables),
              new FieldStep.Field(expression.select().field()));
      case CALL -> call(expression.call(), variables);
      case COMPREHENSION -> comprehension(expression.comprehension(), variables);
      case LIST ->
          expression.list().elements().stream()
              .map(element -> value(element, variables))
              .reduce((one, other) -> one.equals(other) ? one : OTHER)
              .<Value>map(Value.ListOf::new)
              .orElse(OTHER);
      case MAP -> {
        expression
            .map()
            .entries()
            .forEach(entry -> {
              value(entry.key(), variables);
              value(entry.value(), variables);
            });
        yield OTHER;
      }
      case STRUCT -> {
        expression.struct().entries().forEach(entry -> value(entry.value(), variables));
        yield OTHER;
      }
      case CONSTANT, NOT_SET -> OTHER;
    };
  }

  private Value call(CelCall call, Map<String, Value> variables) {
    List<Value> values =
        Stream.concat(call.target().stream(), call.args().stream())
            .map(argument -> value(argument, variables))
            .toList();
    return switch (call.function()) {
      case INDEX -> {
        CelExpr index = call.args().getLast();
        yield index.getKind() == Kind.CONSTANT
                && index.constant().getKind() == CelConstant.Kind.STRING_VALUE
            ? field(values.getFirst(), new FieldStep.Field(index.constant().stringValue()))
            : index.getKind() == Kind.CONSTANT ? item(values.getFirst()) : OTHER;
      }
      case ADD -> either(values);
      case CONDITIONAL -> either(values.subList(1, values.size()));
      default -> OTHER;
    };
  }

  private static Value either(List<Value> values) {
    return values.stream().filter(v -> !(v instanceof Value.Other)).findFirst().orElse(OTHER);
  }

  private Value comprehension(CelComprehension macro, Map<String, Value> outer) {
    var variables = new HashMap<>(outer);
    variables.put(macro.iterVar(), item(value(macro.iterRange(), outer)));
    variables.put(macro.accuVar(), value(macro.accuInit(), outer));
    value(macro.loopCondition(), variables);
    Value collected = value(macro.loopStep(), variables);
    variables.remove(macro.iterVar());
    variables.put(macro.accuVar(), collected);
    return value(macro.result(), variables);
  }

  private Value field(Value of, FieldStep step) {
    if (!(of instanceof Value.At(var path))) {
      return OTHER;
    }
    var longer = new ArrayList<>(path);
    longer.add(step);
    List<FieldStep> whole = List.copyOf(longer);
    found.add(whole);
    return new Value.At(whole);
  }

  private Value item(Value of) {
    return of instanceof Value.ListOf(var item) ? item : field(of, new FieldStep.Entry());
  }
}
