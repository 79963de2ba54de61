package dev.mooring.sandbox.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * One expression of the Common Expression Language with Kubernetes' function libraries, parsed and
 * checked once. Variables are dynamically typed. Thread-safe.
 */
public final class CelExpression {
  /** CEL-Java says where in its text an evaluation failed; Kubernetes does not. */
  private static final Pattern POSITION = Pattern.compile("^evaluation error( at [^ ]+)?: ");

  private static final Pattern MISSING_KEY =
      Pattern.compile("^key '(.*)' is not present in map\\.$");

  private static final Map<Set<String>, CelCompiler> COMPILERS = new ConcurrentHashMap<>();

  private final Set<String> used;
  private final CelRuntime.Program program;

  private CelExpression(Set<String> used, CelRuntime.Program program) {
    this.used = used;
    this.program = program;
  }

  /** Which type an expression must have. */
  public enum Result {
    BOOL(SimpleType.BOOL, "cel expression must evaluate to a bool"),
    STRING(SimpleType.STRING, "messageExpression must evaluate to a string"),
    /** No constraint. */
    ANY(SimpleType.DYN, "");

    private final CelType type;
    private final String complaint;

    Result(CelType type, String complaint) {
      this.type = type;
      this.complaint = complaint;
    }
  }

  /**
   * An expression on variables of any type.
   *
   * @param variables the names that the expression may use; few distinct sets, since what compiles
   *     for one is kept
   * @throws InvalidExpression if the text is no expression of the wanted type
   */
  public static CelExpression compile(String source, Set<String> variables, Result wanted) {
    CelCompiler compiler =
        COMPILERS.computeIfAbsent(Set.copyOf(variables), KubernetesCel::compiler);
    return compile(source, variables, wanted, compiler);
  }

  /**
   * An expression on typed variables.
   *
   * @param types of the structs that the variables' types refer to
   * @throws InvalidExpression if the text is no expression of the wanted type
   */
  public static CelExpression compile(
      String source, Map<String, CelType> variables, CelTypeProvider types, Result wanted) {
    return compile(source, variables.keySet(), wanted, KubernetesCel.compiler(variables, types));
  }

  private static CelExpression compile(
      String source, Set<String> variables, Result wanted, CelCompiler compiler) {
    try {
      CelAbstractSyntaxTree ast = compiler.compile(source).getAst();
      if (wanted != Result.ANY
          && !ast.getResultType().equals(wanted.type)
          && !ast.getResultType().equals(SimpleType.DYN)) {
        throw new InvalidExpression(wanted.complaint);
      }
      Set<String> used = new HashSet<>();
      ast.getReferenceMap().values().forEach(reference -> used.add(reference.name()));
      used.retainAll(variables);
      return new CelExpression(Set.copyOf(used), KubernetesCel.runtime().createProgram(ast));
    } catch (CelValidationException e) {
      throw new InvalidExpression("compilation failed: " + e.getMessage());
    } catch (CelEvaluationException e) {
      throw new InvalidExpression("program instantiation failed: " + e.getMessage());
    }
  }

  /** Whether the expression reads the variable. */
  public boolean uses(String variable) {
    return used.contains(variable);
  }

  /**
   * The value for these variables, which must be CEL values; throws {@link EvaluationFailed} with
   * Kubernetes' text.
   */
  public Object evaluate(Map<String, ?> variables) {
    try {
      return program.eval(variables);
    } catch (CelEvaluationException e) {
      throw new EvaluationFailed(explain(e));
    }
  }

  private static String explain(CelEvaluationException failure) {
    String text = String.valueOf(failure.getMessage());
    String plain = POSITION.matcher(text).replaceFirst("");
    var missing = MISSING_KEY.matcher(plain);
    if (missing.matches()) {
      return "no such key: " + missing.group(1);
    }
    return switch (failure.getErrorCode()) {
      case DIVIDE_BY_ZERO -> "division by zero";
      case OVERLOAD_NOT_FOUND -> "no such overload";
      default -> plain;
    };
  }

  /** An expression that cannot be compiled; the message is the compiler's. */
  public static final class InvalidExpression extends RuntimeException {
    private static final long serialVersionUID = 1;

    public InvalidExpression(String message) {
      super(message);
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
