package dev.mooring.sandbox.schema.validation;

import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.GoText;
import dev.mooring.sandbox.schema.model.Assertions;
import dev.mooring.sandbox.schema.model.Structural;
import java.util.List;

/** {@code anyOf}, {@code oneOf}, {@code allOf} and {@code not}, explained as Kubernetes does. */
final class AlternativesValidator {
  private AlternativesValidator() {}

  static void check(
      ValueValidator validator,
      String path,
      Object value,
      Assertions assertions,
      ValidationResult result) {
    if (!assertions.anyOf().isEmpty()) {
      anyOf(validator, path, value, assertions.anyOf(), result);
    }
    if (!assertions.oneOf().isEmpty()) {
      oneOf(validator, path, value, assertions.oneOf(), result);
    }
    if (!assertions.allOf().isEmpty()) {
      allOf(validator, path, value, assertions.allOf(), result);
    }
    if (assertions.not() != null && validate(validator, path, value, assertions.not()).valid()) {
      result.add(composite(path, "must not validate the schema (not)"));
    }
    result.checked();
  }

  private static void anyOf(
      ValueValidator validator,
      String path,
      Object value,
      List<Structural> any,
      ValidationResult result) {
    ValidationResult best = null;
    for (Structural alternative : any) {
      ValidationResult outcome = validate(validator, path, value, alternative);
      if (outcome.valid()) {
        result.merge(outcome);
        return;
      }
      best = better(best, outcome);
    }
    result.add(composite(path, "must validate at least one schema (anyOf)"));
    result.merge(best);
  }

  private static void oneOf(
      ValueValidator validator,
      String path,
      Object value,
      List<Structural> one,
      ValidationResult result) {
    ValidationResult best = null;
    ValidationResult firstValid = null;
    int valid = 0;
    for (Structural alternative : one) {
      ValidationResult outcome = validate(validator, path, value, alternative);
      if (outcome.valid()) {
        valid++;
        firstValid = firstValid == null ? outcome : firstValid;
      } else {
        best = better(best, outcome);
      }
    }
    if (valid == 1) {
      result.merge(firstValid);
      return;
    }
    String found = valid == 0 ? "Found none valid" : "Found " + valid + " valid alternatives";
    result.add(composite(path, "must validate one and only one schema (oneOf). " + found));
    if (valid == 0) {
      result.merge(best);
    }
  }

  private static void allOf(
      ValueValidator validator,
      String path,
      Object value,
      List<Structural> all,
      ValidationResult result) {
    int valid = 0;
    for (Structural part : all) {
      ValidationResult outcome = validate(validator, path, value, part);
      valid += outcome.valid() ? 1 : 0;
      result.merge(outcome);
    }
    if (valid < all.size()) {
      String none = valid == 0 ? ". None validated" : "";
      result.add(composite(path, "must validate all the schemas (allOf)" + none));
    }
  }

  private static ValidationResult validate(
      ValueValidator validator, String path, Object value, Structural schema) {
    return validator.validate(path, value, ValueValidator.NOTHING_OLD, schema);
  }

  private static ValidationResult better(ValidationResult best, ValidationResult candidate) {
    return best == null || candidate.checks() > best.checks() ? candidate : best;
  }

  private static FieldError composite(String path, String complaint) {
    return FieldError.invalid(FieldError.NO_FIELD, "", GoText.quoted(path) + " " + complaint);
  }
}
