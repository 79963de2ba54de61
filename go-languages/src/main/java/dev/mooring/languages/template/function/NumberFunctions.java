package dev.mooring.languages.template.function;

import static dev.mooring.languages.template.function.TemplateFunction.Kind.ANY;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.FRACTION;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.TEXT;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.WHOLE;

import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.template.value.Numbers;
import dev.mooring.languages.template.value.Values;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/** sprig's arithmetic. What is no number counts as 0, as there. */
final class NumberFunctions {
  /** Numbers of one sequence. */
  private static final int SEQUENCE_MAX = 10_000;

  private NumberFunctions() {}

  static void register(FunctionTable table) {
    table
        .add("int int64", a -> Numbers.whole(a.any(0)), ANY)
        .add("float64", a -> Numbers.fraction(a.any(0)), ANY)
        .add("atoi", a -> parsed(a.text(0), 10), TEXT)
        .add("toDecimal", a -> parsed(Values.print(a.any(0)), 8), ANY)
        .any("add", a -> a.all().stream().mapToLong(Numbers::whole).sum(), ANY)
        .add("add1", a -> Numbers.whole(a.any(0)) + 1, ANY)
        .add("sub", a -> Numbers.whole(a.any(0)) - Numbers.whole(a.any(1)), ANY, ANY)
        .any("mul", NumberFunctions::product, ANY, ANY)
        .add("div", a -> Numbers.whole(a.any(0)) / divisor(a), ANY, ANY)
        .add("mod", a -> Numbers.whole(a.any(0)) % divisor(a), ANY, ANY)
        .any(
            "max biggest",
            a -> a.all().stream().mapToLong(Numbers::whole).max().orElse(0),
            ANY,
            ANY)
        .any("min", a -> a.all().stream().mapToLong(Numbers::whole).min().orElse(0), ANY, ANY)
        .any("maxf", a -> fold(a, Math::max), ANY, ANY)
        .any("minf", a -> fold(a, Math::min), ANY, ANY)
        .add("floor", a -> Math.floor(Numbers.fraction(a.any(0))), ANY)
        .add("ceil", a -> Math.ceil(Numbers.fraction(a.any(0))), ANY)
        .any("round", NumberFunctions::round, ANY, WHOLE, FRACTION)
        .add("add1f", a -> decimal(a.any(0)).add(BigDecimal.ONE).doubleValue(), ANY)
        .any("addf", a -> exact(a, BigDecimal::add), ANY)
        .any("subf", a -> exact(a, BigDecimal::subtract), ANY, ANY)
        .any("mulf", a -> exact(a, BigDecimal::multiply), ANY, ANY)
        .any("divf", NumberFunctions::quotient, ANY, ANY)
        .make("until", a -> sequence(0, a.whole(0), a.whole(0) < 0 ? -1 : 1), WHOLE)
        .make("untilStep", a -> sequence(a.whole(0), a.whole(1), a.whole(2)), WHOLE, WHOLE, WHOLE)
        .any("seq", NumberFunctions::seq, WHOLE);
  }

  private static long parsed(String text, int radix) {
    try {
      return Long.parseLong(text, radix);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  private static long product(Arguments a) {
    return a.all().stream().mapToLong(Numbers::whole).reduce(1, (x, y) -> x * y);
  }

  private static long divisor(Arguments a) {
    long divisor = Numbers.whole(a.any(1));
    if (divisor == 0) {
      throw a.failure("division by zero");
    }
    return divisor;
  }

  private static double fold(Arguments a, BinaryOperator<Double> operator) {
    return a.all().stream().map(Numbers::fraction).reduce(operator).orElse(0d);
  }

  private static double round(Arguments a) {
    double on = a.count() > 2 ? a.fraction(2) : 0.5;
    double power = Math.pow(10, a.whole(1));
    double digits = power * Numbers.fraction(a.any(0));
    double part = digits - (digits < 0 ? Math.ceil(digits) : Math.floor(digits));
    return (part >= on ? Math.ceil(digits) : Math.floor(digits)) / power;
  }

  private static BigDecimal decimal(Object value) {
    double number = Numbers.fraction(value);
    if (Double.isNaN(number) || Double.isInfinite(number)) {
      throw new TemplateFailure("a number is not finite");
    }
    return new BigDecimal(Double.toString(number));
  }

  private static double exact(Arguments a, BinaryOperator<BigDecimal> operator) {
    return a.all().stream()
        .map(NumberFunctions::decimal)
        .reduce(operator)
        .orElse(BigDecimal.ZERO)
        .doubleValue();
  }

  /** To 16 places, as the decimal library that sprig uses divides. */
  private static double quotient(Arguments a) {
    BigDecimal result = decimal(a.any(0));
    for (Object value : a.from(1)) {
      BigDecimal divisor = decimal(value);
      if (divisor.signum() == 0) {
        throw a.failure("division by zero");
      }
      result = result.divide(divisor, 16, RoundingMode.HALF_UP);
    }
    return result.doubleValue();
  }

  private static List<Object> sequence(long start, long stop, long step) {
    var numbers = new ArrayList<Object>();
    if (stop == start || (stop > start ? step <= 0 : step >= 0)) {
      return numbers;
    }
    for (long i = start; stop > start ? i < stop : i > stop; i += step) {
      if (numbers.size() == SEQUENCE_MAX) {
        throw new TemplateFailure("a sequence has more than " + SEQUENCE_MAX + " numbers");
      }
      numbers.add(i);
    }
    return numbers;
  }

  private static String seq(Arguments a) {
    if (a.count() == 0 || a.count() > 3) {
      return "";
    }
    long start = a.count() == 1 ? 1 : a.whole(0);
    long end = a.whole(a.count() - 1);
    long direction = end < start ? -1 : 1;
    long step = a.count() == 3 ? a.whole(1) : direction;
    return sequence(start, end + direction, step).stream()
        .map(Object::toString)
        .collect(Collectors.joining(" "));
  }
}
