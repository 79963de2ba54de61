package dev.mooring.sandbox.schema;

import com.google.common.base.Suppliers;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.schema.model.Structural;
import dev.mooring.sandbox.schema.rule.CelRule;
import dev.mooring.sandbox.schema.rule.CelValidator;
import dev.mooring.sandbox.schema.rule.CelValidator.Findings;
import dev.mooring.sandbox.schema.validation.EmbeddedResourceCheck;
import dev.mooring.sandbox.schema.validation.ListTypeCheck;
import dev.mooring.sandbox.schema.validation.ValueValidator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An {@code openAPIV3Schema}, read once, that prunes, defaults and validates resources as
 * Kubernetes does. Regular expressions and rules are compiled when first needed. Thread-safe.
 */
public final class CompiledSchema {
  private static final String NOT_CHECKED =
      "some validation rules were not checked because the object was invalid; correct the existing"
          + " errors to complete validation";

  private static final Object NOTHING_OLD = ValueValidator.NOTHING_OLD;

  private final Structural schema;
  private final Supplier<Optional<CelValidator>> rules;

  private CompiledSchema(Structural schema) {
    this.schema = schema;
    this.rules = Suppliers.memoize(() -> CelValidator.of(schema));
  }

  /**
   * @param openApiV3Schema empty for a resource without one, whose objects are then pruned to type
   *     and metadata
   */
  public static CompiledSchema of(Map<String, Object> openApiV3Schema) {
    return new CompiledSchema(Structural.of(openApiV3Schema));
  }

  /**
   * @param unknownFields what was taken out, sorted, as paths such as {@code spec.parts[0].odd}
   */
  public record Pruned(KubeObject object, List<String> unknownFields) {}

  /** Without the fields that the schema does not know. */
  public Pruned prune(KubeObject object) {
    return Pruner.prune(object, schema);
  }

  /** With defaults; without nulls that mean nothing. */
  public KubeObject applyDefaults(KubeObject object) {
    return KubeObject.owning(Defaulter.apply(object.tree(), schema));
  }

  /** What is wrong with a new object; empty if nothing is. */
  public List<FieldError> validate(KubeObject object) {
    return validate(object, List.of());
  }

  /**
   * As {@link #validate(KubeObject)}.
   *
   * @param found errors of other checks, which come next and may block the rules as well
   */
  public List<FieldError> validate(KubeObject object, List<FieldError> found) {
    return validate(
        object, NOTHING_OLD, values("", object.tree(), NOTHING_OLD), found, tolerated -> {});
  }

  /**
   * What an update makes wrong; errors in parts that stay as they were are tolerated.
   *
   * @param found as in {@link #validate(KubeObject, List)}
   * @param tolerated is given the violations of rules that are
   */
  public List<FieldError> validateUpdate(
      KubeObject object, KubeObject old, List<FieldError> found, Consumer<FieldError> tolerated) {
    return validate(object, old.tree(), values("", object.tree(), old.tree()), found, tolerated);
  }

  /** As {@link #validateUpdate}, of types and assertions looking at the status alone. */
  public List<FieldError> validateStatusUpdate(
      KubeObject object, KubeObject old, List<FieldError> found, Consumer<FieldError> tolerated) {
    Structural status = schema.property("status");
    Set<FieldError> wrong = Set.of();
    if (status != null && object.tree().containsKey("status")) {
      @Nullable Object before = old.tree().containsKey("status") ? old.at("status") : NOTHING_OLD;
      wrong =
          new ValueValidator("status").validate("", object.at("status"), before, status).errors();
    }
    return validate(object, old.tree(), wrong, found, tolerated);
  }

  private List<FieldError> validate(
      KubeObject object,
      @Nullable Object old,
      Set<FieldError> wrong,
      List<FieldError> found,
      Consumer<FieldError> tolerated) {
    var errors = new ArrayList<>(wrong);
    errors.addAll(found);
    EmbeddedResourceCheck.check("", object.tree(), schema, errors);
    var oldDuplicates = new ArrayList<FieldError>();
    ListTypeCheck.check("", old, schema, oldDuplicates);
    if (oldDuplicates.isEmpty()) {
      ListTypeCheck.check("", object.tree(), schema, errors);
    }
    if (rules.get().isPresent() && errors.stream().anyMatch(FieldError::blocksRules)) {
      errors.add(FieldError.invalid(FieldError.NO_FIELD, null, NOT_CHECKED));
    } else {
      evaluateRules("", object.tree(), old, new Findings(errors, tolerated));
    }
    return List.copyOf(errors);
  }

  private Set<FieldError> values(String path, Object value, @Nullable Object old) {
    return new ValueValidator(path).validate("", value, old, schema).errors();
  }

  private void evaluateRules(String path, Object value, @Nullable Object old, Findings findings) {
    rules.get().ifPresent(validator -> validator.validate(path, value, old, findings));
  }

  /**
   * What is wrong with a default at the place that the schema describes.
   *
   * @param path of the default in its definition
   */
  public List<FieldError> validateDefault(String path, Object value) {
    if (!value.equals(Pruner.prune(value, schema))) {
      return List.of(FieldError.invalid(path, value, "must not have unknown fields"));
    }
    var errors = new ArrayList<FieldError>();
    EmbeddedResourceCheck.check(path, value, schema, errors);
    if (errors.isEmpty()) {
      errors.addAll(values(path, value, NOTHING_OLD));
      if (schema.intOrString()) {
        // As in Kubernetes, which forgets that such a schema has types.
        errors.removeIf(
            error -> error.field().equals(path) && error.reason().equals("FieldValueTypeInvalid"));
      }
    }
    if (errors.isEmpty()) {
      evaluateRules(path, value, NOTHING_OLD, new Findings(errors, tolerated -> {}));
    }
    return List.copyOf(errors);
  }

  /** All rules, those of nested schemas first. Compiled when they are asked for something. */
  public List<CelRule> rules() {
    return rules.get().map(CelValidator::allRules).orElse(List.of());
  }
}
