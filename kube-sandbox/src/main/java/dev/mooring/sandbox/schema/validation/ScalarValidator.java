package dev.mooring.sandbox.schema.validation;

import com.google.re2j.PatternSyntaxException;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.schema.model.Assertions;
import dev.mooring.sandbox.schema.model.Formats;
import dev.mooring.sandbox.schema.model.Pattern;
import dev.mooring.sandbox.schema.model.Structural;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** Assertions about one text or number. */
record ScalarValidator(ValueValidator validator, String path, Structural schema) {

  void checkText(String text, ValidationResult result) {
    Assertions assertions = schema.assertions();
    long length = text.codePointCount(0, text.length());
    if (assertions.maxLength() != null && length > assertions.maxLength()) {
      result.add(FieldError.tooLong(validator.field(path), assertions.maxLength()));
    } else if (assertions.minLength() != null && length < assertions.minLength()) {
      result.add(
          validator.invalid(
              path, text, "should be at least " + assertions.minLength() + " chars long"));
    } else if (assertions.pattern() != null) {
      checkPattern(text, assertions.pattern(), result);
    }
    if (!assertions.format().isEmpty() && !Formats.matches(assertions.format(), text)) {
      result.add(validator.wrongType(path, assertions.format(), text));
    }
  }

  private void checkPattern(String text, Pattern pattern, ValidationResult result) {
    try {
      if (!pattern.matches(text)) {
        result.add(validator.invalid(path, text, "should match '" + pattern.source() + "'"));
      }
    } catch (PatternSyntaxException e) {
      result.add(
          validator.invalid(
              path,
              text,
              "should match '%s, but pattern is invalid: %s'"
                  .formatted(pattern.source(), e.getMessage())));
    }
  }

  void checkNumber(Number number, ValidationResult result) {
    Assertions assertions = schema.assertions();
    checkRange(number, result);
    if (assertions.multipleOf() != null && number instanceof Long && assertions.multipleOf() < 1) {
      // Go makes a whole number of the factor for a whole number.
      result.add(
          FieldError.invalid(
              validator.field(path),
              0L,
              "factor MultipleOf declared for " + path + " must be positive: 0"));
    } else if (assertions.multipleOf() != null && !multiple(number, assertions.multipleOf())) {
      result.add(
          validator.invalid(
              path, number, "should be a multiple of " + GoText.number(assertions.multipleOf())));
    }
    checkBound(number, assertions.minimum(), assertions.exclusiveMinimum(), 1, result);
    checkBound(number, assertions.maximum(), assertions.exclusiveMaximum(), -1, result);
  }

  /**
   * @param sign of numbers that are within the bound, compared with it
   */
  private void checkBound(
      Number number, @Nullable Double bound, boolean exclusive, int sign, ValidationResult result) {
    if (bound == null) {
      return;
    }
    int comparison = decimal(number).compareTo(BigDecimal.valueOf(bound)) * sign;
    if (comparison < 0 || exclusive && comparison == 0) {
      result.add(
          validator.invalid(
              path,
              number,
              "should be "
                  + (sign > 0 ? "greater than " : "less than ")
                  + (exclusive ? "" : "or equal to ")
                  + GoText.number(bound)));
    }
  }

  /** Whether the number fits into what the type and format can hold. */
  private void checkRange(Number number, ValidationResult result) {
    if (!schema.type().equals("integer")) {
      return;
    }
    String format = schema.assertions().format();
    boolean fits =
        ValueValidator.whole(number)
            && (format.equals("int32")
                ? number.doubleValue() >= Integer.MIN_VALUE
                    && number.doubleValue() <= Integer.MAX_VALUE
                : !(number instanceof BigInteger));
    if (!fits) {
      String described = format.isEmpty() ? " (default format)" : " with format " + format;
      result.add(
          FieldError.invalid(
              validator.field(""),
              "",
              "Checked value must be of type integer" + described + " in " + path));
    }
  }

  private static boolean multiple(Number number, double factor) {
    return factor > 0 && decimal(number).remainder(BigDecimal.valueOf(factor)).signum() == 0;
  }

  private static BigDecimal decimal(Number number) {
    return switch (number) {
      case Long whole -> BigDecimal.valueOf(whole);
      case BigInteger whole -> new BigDecimal(whole);
      case BigDecimal decimal -> decimal;
      default -> BigDecimal.valueOf(number.doubleValue());
    };
  }
}
