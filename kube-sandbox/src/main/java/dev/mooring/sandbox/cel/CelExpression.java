package dev.mooring.sandbox.cel;

import com.google.common.base.Suppliers;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelErrorCode;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypes;
import dev.cel.common.types.ListType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructTypeReference;
import dev.cel.compiler.CelCompiler;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelUnknownSet;
import dev.mooring.sandbox.cel.cost.ActualCost;
import dev.mooring.sandbox.cel.cost.CostEstimator;
import dev.mooring.sandbox.cel.cost.Sizes;
import dev.mooring.sandbox.cel.library.FunctionError;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One expression of the Common Expression Language with Kubernetes' function libraries, parsed and
 * checked once. Thread-safe.
 */
public final class CelExpression {
  /** Why an evaluation was ended. */
  public static final String TOO_EXPENSIVE = "operation cancelled: actual cost limit exceeded";

  /** CEL-Java says where in its text an evaluation failed; Kubernetes does not. */
  private static final Pattern POSITION = Pattern.compile("^evaluation error(?: at [^ ]*)?: ");

  private static final Pattern MISSING_KEY =
      Pattern.compile(
          "^(?:key '(.*)' is not present in map\\."
              + "|Error resolving field '(.*)'\\. Field selections must be performed .*)$");

  private final CelAbstractSyntaxTree checked;
  private final Set<String> used;
  private final CelAbstractSyntaxTree planned;
  private final CelRuntime.Program program;

  /** Whether no evaluation can be too expensive, so that nothing has to be counted. */
  private final Supplier<Boolean> cheap;

  private CelExpression(
      CelAbstractSyntaxTree checked, Set<String> used, CelAbstractSyntaxTree planned, Sizes sizes)
      throws CelEvaluationException {
    this.checked = checked;
    this.used = used;
    this.planned = planned;
    this.program = KubernetesCel.runtime().createProgram(planned);
    this.cheap = Suppliers.memoize(() -> cost(sizes) <= ActualCost.MAX);
  }

  /** Which type an expression must have. */
  public enum Result {
    /** A rule of a schema, or what a webhook or policy decides by. */
    CONDITION(SimpleType.BOOL),
    /** The message of a rule or validation. */
    MESSAGE(SimpleType.STRING),
    /** The value of an audit annotation; null for none. */
    ANNOTATION(SimpleType.STRING, SimpleType.NULL_TYPE),
    /** An apply configuration. */
    OBJECT(StructTypeReference.create(PatchObjects.OBJECT)),
    /** The operations of a JSON patch. */
    PATCHES(ListType.create(StructTypeReference.create(PatchObjects.JSON_PATCH))),
    /** No constraint. */
    ANY();

    private final List<CelType> types;

    Result(CelType... types) {
      this.types = List.of(types);
    }

    private boolean allows(CelType type) {
      return types.isEmpty()
          || types.stream()
              .anyMatch(wanted -> CelTypes.format(wanted).equals(CelTypes.format(type)));
    }

    private String complaint(CelType got) {
      return "must evaluate to %s but got %s"
          .formatted(
              types.stream().map(CelTypes::format).collect(Collectors.joining(" or ")),
              CelTypes.format(got));
    }
  }

  /**
   * Parses and checks.
   *
   * @throws InvalidExpression if the text is no expression of the wanted type
   */
  public static CelExpression compile(String source, CelEnvironment environment, Result wanted) {
    return compile(source, environment, wanted, path -> Optional.empty());
  }

  /**
   * As {@link #compile(String, CelEnvironment, Result)}.
   *
   * @param sizes of the values that it will be evaluated for
   */
  public static CelExpression compile(
      String source, CelEnvironment environment, Result wanted, Sizes sizes) {
    try {
      CelCompiler compiler = environment.compiler();
      CelAbstractSyntaxTree parsed = compiler.parse(source).getAst();
      CelAbstractSyntaxTree checked =
          switch (environment.dialect()) {
            case EXPRESSION -> compiler.check(parsed).getAst();
            case PATCH ->
                compiler
                    .toCompilerBuilder()
                    .setTypeProvider(PatchObjects.types(environment.types(), parsed))
                    .build()
                    .check(parsed)
                    .getAst();
          };
      if (!wanted.allows(checked.getResultType())) {
        throw new InvalidExpression(wanted.complaint(checked.getResultType()));
      }
      KubernetesCel.validate(checked);
      CelAbstractSyntaxTree planned =
          switch (environment.dialect()) {
            case EXPRESSION -> checked;
            case PATCH -> compiler.check(PatchObjects.withMaps(parsed)).getAst();
          };
      Set<String> used = new HashSet<>();
      planned.getReferenceMap().values().forEach(reference -> used.add(reference.name()));
      used.retainAll(environment.variables().keySet());
      return new CelExpression(checked, Set.copyOf(used), planned, sizes);
    } catch (CelValidationException e) {
      throw new InvalidExpression("compilation failed: " + e.getMessage());
    } catch (CelEvaluationException e) {
      throw new InvalidExpression("program instantiation failed: " + e.getMessage());
    }
  }

  /** What a compilation makes, or the failure that each use throws: neither is made twice. */
  public static Supplier<CelExpression> attempt(Supplier<CelExpression> compilation) {
    try {
      return Suppliers.ofInstance(compilation.get());
    } catch (InvalidExpression failed) {
      return () -> {
        throw failed;
      };
    }
  }

  /** The type of its value, as far as it is known before an evaluation. */
  public CelType type() {
    return checked.getResultType();
  }

  /** What an evaluation costs at most, for values of these sizes. */
  public long cost(Sizes sizes) {
    return CostEstimator.maximum(checked, sizes);
  }

  /** Whether the expression reads the variable. */
  public boolean uses(String variable) {
    return used.contains(variable);
  }

  /** The value for these variables, which must be CEL values; throws {@link EvaluationFailed}. */
  public Object evaluate(Map<String, ?> variables) {
    Object value = evaluated(variables);
    if (value instanceof CelUnknownSet) {
      throw new EvaluationFailed(
          "no such attribute(s): "
              + used.stream()
                  .filter(name -> !variables.containsKey(name))
                  .sorted()
                  .collect(Collectors.joining(", ")));
    }
    return value;
  }

  private Object evaluated(Map<String, ?> variables) {
    try {
      if (cheap.get()) {
        return program.eval(variables);
      }
      var cost = new ActualCost(planned);
      try {
        Object value = program.trace(variables, cost);
        if (!cost.exceeded()) {
          return value;
        }
      } catch (CelEvaluationException e) {
        if (!cost.exceeded()) {
          throw e;
        }
      }
      throw new EvaluationFailed(TOO_EXPENSIVE);
    } catch (CelEvaluationException e) {
      throw new EvaluationFailed(explain(e));
    }
  }

  /** Why an evaluation failed: a failed function says it itself, all else CEL-Java. */
  static String explain(CelEvaluationException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof FunctionError || cause instanceof EvaluationFailed) {
        return String.valueOf(cause.getMessage());
      }
    }
    String plain = POSITION.matcher(String.valueOf(failure.getMessage())).replaceFirst("");
    String key = MISSING_KEY.matcher(plain).replaceFirst("$1$2");
    return failure.getErrorCode() == CelErrorCode.ATTRIBUTE_NOT_FOUND || !key.equals(plain)
        ? "no such key: " + key
        : plain;
  }

  /** An expression that cannot be compiled; the message is the compiler's. */
  public static final class InvalidExpression extends RuntimeException {
    private static final long serialVersionUID = 1;

    public InvalidExpression(String message) {
      super(message, null, false, false);
    }
  }

  /** An expression that has no value for its variables, such as a missing key. */
  public static final class EvaluationFailed extends RuntimeException {
    private static final long serialVersionUID = 1;

    public EvaluationFailed(String message) {
      super(message, null, false, false);
    }
  }
}
