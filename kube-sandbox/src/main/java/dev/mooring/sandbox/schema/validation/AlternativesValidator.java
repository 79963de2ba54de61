package dev.mooring.sandbox.schema.validation;

import dev.mooring.languages.template.text.GoQuotes;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.schema.model.Assertions;
import dev.mooring.sandbox.schema.model.Structural;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** {@code anyOf}, {@code oneOf}, {@code allOf} and {@code not}, explained as Kubernetes does. */
record AlternativesValidator(
    ValueValidator validator, String path, Object value, ValidationResult result) {

  void check(Assertions assertions) {
    if (!assertions.anyOf().isEmpty()) {
      anyOf(validate(assertions.anyOf()));
    }
    if (!assertions.oneOf().isEmpty()) {
      oneOf(validate(assertions.oneOf()));
    }
    if (!assertions.allOf().isEmpty()) {
      allOf(validate(assertions.allOf()));
    }
    if (assertions.not() != null && validate(assertions.not()).valid()) {
      complain("must not validate the schema (not)");
    }
    result.checked();
  }

  private void anyOf(List<ValidationResult> outcomes) {
    Optional<ValidationResult> valid =
        outcomes.stream().filter(ValidationResult::valid).findFirst();
    if (valid.isEmpty()) {
      complain("must validate at least one schema (anyOf)");
    }
    result.merge(valid.orElseGet(() -> best(outcomes)));
  }

  private void oneOf(List<ValidationResult> outcomes) {
    List<ValidationResult> valid = outcomes.stream().filter(ValidationResult::valid).toList();
    if (valid.size() == 1) {
      result.merge(valid.getFirst());
      return;
    }
    String found = valid.isEmpty() ? "none valid" : valid.size() + " valid alternatives";
    complain("must validate one and only one schema (oneOf). Found " + found);
    if (valid.isEmpty()) {
      result.merge(best(outcomes));
    }
  }

  private void allOf(List<ValidationResult> outcomes) {
    outcomes.forEach(result::merge);
    long valid = outcomes.stream().filter(ValidationResult::valid).count();
    if (valid < outcomes.size()) {
      String none = valid == 0 ? ". None validated" : "";
      complain("must validate all the schemas (allOf)" + none);
    }
  }

  private List<ValidationResult> validate(List<Structural> schemas) {
    return schemas.stream().map(this::validate).toList();
  }

  private ValidationResult validate(Structural schema) {
    return validator.validate(path, value, ValueValidator.NOTHING_OLD, schema);
  }

  /** The first of those with the most checks. */
  private static ValidationResult best(List<ValidationResult> outcomes) {
    return outcomes.stream().max(Comparator.comparing(ValidationResult::checks)).orElseThrow();
  }

  private void complain(String complaint) {
    result.add(FieldError.invalid(FieldError.NO_FIELD, "", GoQuotes.quote(path) + " " + complaint));
  }
}
