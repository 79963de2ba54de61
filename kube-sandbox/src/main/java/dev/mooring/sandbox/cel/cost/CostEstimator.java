package dev.mooring.sandbox.cel.cost;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.common.ast.CelReference;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.cel.common.types.SimpleType;
import dev.mooring.sandbox.cel.cost.LibraryCosts.Call;
import dev.mooring.sandbox.cel.cost.LibraryCosts.Operand;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Estimates one expression; one use. */
public final class CostEstimator {
  static final int LIST_BASE = 10;
  static final int MAP_BASE = 30;
  static final int STRUCT_BASE = 40;

  private final CelAbstractSyntaxTree ast;
  private final Sizes declared;
  private final LibraryCosts libraries;
  private final Map<Long, List<String>> paths = new HashMap<>();
  private final Map<Long, Range> computed = new HashMap<>();
  private final Map<Long, Entry> entries = new HashMap<>();
  private final Map<String, Deque<Local>> locals = new HashMap<>();

  /** The sizes of a list's or map's keys and values. */
  private record Entry(CelKind container, Range key, Range value) {
    static @Nullable Entry union(@Nullable Entry left, @Nullable Entry right) {
      return left == null || right == null
          ? null
          : new Entry(left.container, left.key.union(right.key), left.value.union(right.value));
    }
  }

  private record Local(List<String> path, @Nullable Range size, @Nullable Entry entry) {}

  CostEstimator(CelAbstractSyntaxTree ast, Sizes declared) {
    this.ast = ast;
    this.declared = declared;
    this.libraries = new LibraryCosts(declared);
  }

  /**
   * What an evaluation costs at most.
   *
   * @param ast checked
   */
  public static long maximum(CelAbstractSyntaxTree ast, Sizes sizes) {
    return new CostEstimator(ast, sizes).cost(ast.getExpr()).max();
  }

  /** What a call costs besides its arguments, which have these sizes. */
  long call(CelExpr expression, ToLongFunction<CelExpr> sizes) {
    CelReference reference = ast.getReferenceMap().get(expression.id());
    if (reference == null) {
      return 1;
    }
    Function<CelExpr, Operand> sized =
        operand ->
            new Operand(operand, List.of(), type(operand), Range.of(sizes.applyAsLong(operand)));
    Operand target = expression.call().target().map(sized).orElse(null);
    List<Operand> arguments = expression.call().args().stream().map(sized).toList();
    return reference.overloadIds().stream()
        .mapToLong(overload -> estimate(expression, overload, target, arguments).cost().max())
        .max()
        .orElse(1);
  }

  private Call estimate(
      CelExpr expression, String overload, @Nullable Operand target, List<Operand> arguments) {
    Call call = libraries.estimate(expression.call().function(), overload, target, arguments);
    return call == null ? standard(expression, overload, target, arguments) : call;
  }

  private Range cost(CelExpr expression) {
    return switch (expression.getKind()) {
      case CONSTANT, NOT_SET -> Range.NONE;
      case IDENT -> ident(expression);
      case SELECT -> select(expression);
      case CALL -> call(expression);
      case LIST -> list(expression);
      case MAP -> map(expression);
      case STRUCT ->
          expression.struct().entries().stream()
              .map(entry -> cost(entry.value()))
              .reduce(Range.of(STRUCT_BASE), Range::plus);
      case COMPREHENSION -> comprehension(expression);
    };
  }

  private Range ident(CelExpr expression) {
    Local local = local(expression.ident().name());
    paths.put(expression.id(), local == null ? List.of(expression.ident().name()) : local.path());
    return Range.of(1);
  }

  private Range select(CelExpr expression) {
    CelExpr operand = expression.select().operand();
    Range sum = cost(operand);
    if (expression.select().testOnly()) {
      return sum;
    }
    sum =
        switch (type(operand).kind()) {
          case MAP, STRUCT, TYPE_PARAM -> sum.plus(1);
          default -> sum;
        };
    paths.put(expression.id(), with(path(operand), expression.select().field()));
    return sum;
  }

  private static List<String> with(List<String> path, String step) {
    var longer = new ArrayList<>(path);
    longer.add(step);
    return longer;
  }

  private Range call(CelExpr expression) {
    CelCall call = expression.call();
    if (call.function().equals("dyn")) {
      CelExpr argument = call.args().getFirst();
      Range cost = cost(argument).plus(1);
      copySizes(argument, expression);
      return cost;
    }
    var argumentCosts = new ArrayList<Range>();
    var arguments = new ArrayList<Operand>();
    for (CelExpr argument : call.args()) {
      argumentCosts.add(cost(argument));
      arguments.add(operand(argument));
    }
    Range sum = call.target().map(this::cost).orElse(Range.NONE);
    Operand target = call.target().map(this::operand).orElse(null);
    CelReference reference = ast.getReferenceMap().get(expression.id());
    if (reference == null || reference.overloadIds().isEmpty()) {
      return Range.NONE;
    }
    Range most = new Range(Long.MAX_VALUE, 0);
    Range size = null;
    for (String overload : reference.overloadIds()) {
      Call estimate = call(expression, overload, target, arguments, argumentCosts);
      most = most.union(estimate.cost());
      if (estimate.size() != null) {
        size = size == null ? estimate.size() : size.union(estimate.size());
      }
      if (overload.equals("index_list") || overload.equals("index_map")) {
        Entry entry = entry(call.args().getFirst());
        size = entry == null ? null : entry.value();
        paths.put(
            expression.id(),
            with(
                path(call.args().getFirst()),
                overload.equals("index_list") ? "@items" : "@values"));
      }
      if (size == null) {
        size = size(expression);
      }
    }
    if (size != null) {
      computed.put(expression.id(), size);
    }
    return sum.plus(most);
  }

  private Call call(
      CelExpr expression,
      String overload,
      @Nullable Operand target,
      List<Operand> arguments,
      List<Range> argumentCosts) {
    Range sum = argumentCosts.stream().reduce(Range.NONE, Range::plus);
    return switch (overload) {
      case "logical_or", "logical_and" -> {
        Range left = argumentCosts.getFirst();
        yield Call.of(new Range(left.min(), left.plus(argumentCosts.getLast()).max()));
      }
      case "conditional" -> {
        Operand yes = arguments.get(1);
        Operand no = arguments.get(2);
        Entry both = Entry.union(entry(yes.expression()), entry(no.expression()));
        if (both != null) {
          entries.put(expression.id(), both);
        }
        yield new Call(
            argumentCosts.getFirst().plus(argumentCosts.get(1).union(argumentCosts.get(2))),
            yes.sizeOrUnknown().union(no.sizeOrUnknown()));
      }
      default -> {
        Call call = estimate(expression, overload, target, arguments);
        yield new Call(call.cost().plus(sum), call.size());
      }
    };
  }

  private Call standard(
      CelExpr expression, String overload, @Nullable Operand target, List<Operand> arguments) {
    Range first = arguments.isEmpty() ? Range.UNKNOWN : arguments.getFirst().sizeOrUnknown();
    Range last = arguments.isEmpty() ? Range.UNKNOWN : arguments.getLast().sizeOrUnknown();
    Range receiver = target == null ? Range.UNKNOWN : target.sizeOrUnknown();
    return switch (overload) {
      case "(string) format(list(dyn)) string" -> Call.of(receiver.times(LibraryCosts.TRAVERSAL));
      case "string_to_bytes" ->
          new Call(
              first.times(LibraryCosts.TRAVERSAL),
              new Range(first.min(), Range.times(first.max(), 4)));
      case "bytes_to_string" ->
          new Call(first.times(LibraryCosts.TRAVERSAL), new Range(first.min() / 4, first.max()));
      case "strings_quote" ->
          new Call(
              first.times(LibraryCosts.TRAVERSAL),
              new Range(first.min() + 2, Range.plus(Range.times(first.max(), 2), 2)));
      case "starts_with_string", "ends_with_string" -> Call.of(first.times(LibraryCosts.TRAVERSAL));
      case "in_list" -> Call.of(last);
      case "matches_string" ->
          Call.of(
              receiver
                  .plus(1)
                  .times(LibraryCosts.TRAVERSAL)
                  .times(first.times(LibraryCosts.REGEX)));
      case "contains_string" ->
          Call.of(
              receiver.times(LibraryCosts.TRAVERSAL).times(first.times(LibraryCosts.TRAVERSAL)));
      case "add_string", "add_bytes", "add_list" -> {
        Range size = first.plus(last);
        Entry both =
            Entry.union(
                entry(arguments.getFirst().expression()), entry(arguments.getLast().expression()));
        if (both != null) {
          entries.put(expression.id(), both);
        }
        yield new Call(
            overload.equals("add_list") ? Range.of(1) : size.times(LibraryCosts.TRAVERSAL), size);
      }
      case "less_string",
          "greater_string",
          "less_equals_string",
          "greater_equals_string",
          "less_bytes",
          "greater_bytes",
          "less_equals_bytes",
          "greater_equals_bytes",
          "equals",
          "not_equals" -> {
        if (arguments.getFirst().type().kind() == CelKind.OPAQUE
            && !(arguments.getFirst().type() instanceof OptionalType)) {
          yield Call.ONE;
        }
        long smaller = Math.min(first.max(), last.max());
        yield Call.of(new Range(smaller > 0 ? 1 : 0, smaller).times(LibraryCosts.TRAVERSAL));
      }
      default -> Call.ONE;
    };
  }

  private Range list(CelExpr expression) {
    Range sum = Range.of(LIST_BASE);
    Range items = expression.list().elements().isEmpty() ? Range.NONE : null;
    for (CelExpr element : expression.list().elements()) {
      sum = sum.plus(cost(element));
      Range size = sizeOrUnknown(element);
      items = items == null ? size : items.union(size);
    }
    entries.put(
        expression.id(), new Entry(CelKind.LIST, Range.of(1), items == null ? Range.NONE : items));
    return sum;
  }

  private Range map(CelExpr expression) {
    Range sum = Range.of(MAP_BASE);
    Range keys = Range.NONE;
    Range values = Range.NONE;
    boolean first = true;
    for (var entry : expression.map().entries()) {
      sum = sum.plus(cost(entry.key())).plus(cost(entry.value()));
      Range key = sizeOrUnknown(entry.key());
      Range value = sizeOrUnknown(entry.value());
      keys = first ? key : keys.union(key);
      values = first ? value : values.union(value);
      first = false;
    }
    entries.put(expression.id(), new Entry(CelKind.MAP, keys, values));
    return sum;
  }

  private Range comprehension(CelExpr expression) {
    CelComprehension loop = expression.comprehension();
    CelExpr range = loop.iterRange();
    Range sum = cost(range).plus(cost(loop.accuInit()));
    push(
        loop.accuVar(),
        new Local(path(loop.accuInit()), size(loop.accuInit()), entry(loop.accuInit())));
    Entry entry = entry(range);
    CelKind container = entry == null ? type(range).kind() : entry.container();
    Range key = entry == null ? null : entry.key();
    Range value = entry == null ? null : entry.value();
    boolean ofList = container == CelKind.LIST;
    List<String> path = path(range);
    boolean two = !loop.iterVar2().isEmpty();
    if (two) {
      push(loop.iterVar(), new Local(with(path, ofList ? "@indices" : "@keys"), key, null));
      push(loop.iterVar2(), new Local(with(path, ofList ? "@items" : "@values"), value, null));
    } else {
      push(
          loop.iterVar(),
          new Local(with(path, ofList ? "@items" : "@keys"), ofList ? value : key, null));
    }
    Range each = cost(loop.loopCondition()).plus(cost(loop.loopStep()));
    pop(loop.iterVar());
    if (two) {
      pop(loop.iterVar2());
    }
    sum = sum.plus(cost(loop.result()));
    pop(loop.accuVar());
    Range count = sizeOrUnknown(range);
    sum = sum.plus(count.times(each));
    switch (loop.accuInit().getKind()) {
      case CONSTANT -> {
        Range size = size(loop.accuInit());
        if (size != null) {
          computed.put(expression.id(), size);
        }
      }
      case LIST, MAP -> {
        computed.put(expression.id(), count);
        Entry step = entry(loop.loopStep());
        if (step != null) {
          entries.put(expression.id(), step);
        }
      }
      default -> {}
    }
    return sum;
  }

  private void push(String name, Local local) {
    locals.computeIfAbsent(name, _ -> new ArrayDeque<>()).push(local);
  }

  private void pop(String name) {
    locals.getOrDefault(name, new ArrayDeque<>()).poll();
  }

  private @Nullable Local local(String name) {
    Deque<Local> scopes = locals.get(name);
    return scopes == null ? null : scopes.peek();
  }

  private Operand operand(CelExpr expression) {
    List<String> path = path(expression);
    // Accumulators are named so that no expression can use them.
    boolean accumulator =
        !path.isEmpty()
            && (path.getFirst().startsWith("@") || path.getFirst().equals("__result__"));
    return new Operand(
        expression, accumulator ? List.of() : path, type(expression), size(expression));
  }

  private List<String> path(CelExpr expression) {
    if (expression.getKind() == Kind.IDENT) {
      Local local = local(expression.ident().name());
      if (local != null) {
        return local.path();
      }
    }
    return paths.getOrDefault(expression.id(), List.of());
  }

  private CelType type(CelExpr expression) {
    return ast.getType(expression.id()).orElse(SimpleType.DYN);
  }

  private Range sizeOrUnknown(CelExpr expression) {
    Range size = size(expression);
    return size == null ? Range.UNKNOWN : size;
  }

  private @Nullable Range size(CelExpr expression) {
    Range known = computed.get(expression.id());
    if (known != null) {
      return known;
    }
    switch (expression.getKind()) {
      case CONSTANT -> {
        return literalSize(expression.constant());
      }
      case LIST -> {
        return Range.of(expression.list().elements().size());
      }
      case MAP -> {
        return Range.of(expression.map().entries().size());
      }
      default -> {}
    }
    List<String> path = path(expression);
    Range described = path.isEmpty() ? null : declared.of(path).orElse(null);
    if (described != null) {
      computed.put(expression.id(), described);
      return described;
    }
    if (isScalar(type(expression))) {
      return Range.of(1);
    }
    Local local = expression.getKind() == Kind.IDENT ? local(expression.ident().name()) : null;
    return local == null ? null : local.size();
  }

  private static Range literalSize(CelConstant constant) {
    return switch (constant.getKind()) {
      case STRING_VALUE ->
          Range.of(constant.stringValue().codePointCount(0, constant.stringValue().length()));
      case BYTES_VALUE -> Range.of(constant.bytesValue().size());
      default -> Range.of(1);
    };
  }

  private static boolean isScalar(CelType type) {
    return switch (type.kind()) {
      case BOOL, DOUBLE, DURATION, INT, TIMESTAMP, UINT -> true;
      case OPAQUE -> type instanceof OptionalType && isScalar(type.parameters().getFirst());
      default -> false;
    };
  }

  private @Nullable Entry entry(CelExpr expression) {
    Entry known = entries.get(expression.id());
    if (known != null) {
      return known;
    }
    Local local = expression.getKind() == Kind.IDENT ? local(expression.ident().name()) : null;
    return local == null ? null : local.entry();
  }

  private void copySizes(CelExpr from, CelExpr to) {
    Range size = size(from);
    if (size != null) {
      computed.put(to.id(), size);
    }
    Entry entry = entry(from);
    if (entry != null) {
      entries.put(to.id(), entry);
    }
  }
}
