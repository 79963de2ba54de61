package dev.mooring.sandbox.schema.rule;

import com.google.common.base.Suppliers;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.EvaluationFailed;
import dev.mooring.sandbox.cel.CelExpression.InvalidExpression;
import dev.mooring.sandbox.schema.model.RuleSource;
import dev.mooring.sandbox.schema.model.Structural;
import dev.mooring.sandbox.schema.validation.OldItems;
import dev.mooring.sandbox.schema.validation.ValueValidator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a schema and of everything below it: only branches with rules are kept. Says what
 * Kubernetes would say (apiextensions {@code pkg/apiserver/schema/cel/validation.go}).
 */
public final class CelValidator {
  private static final Object NOTHING_OLD = ValueValidator.NOTHING_OLD;

  private final Structural schema;
  private final CelAdapter shape;
  private final List<CelRule> rules;
  private final List<CelValidator> allOf;
  private final Map<String, CelValidator> properties;
  private final @Nullable CelValidator additional;
  private final @Nullable CelValidator items;

  private CelValidator(
      String path,
      Structural ruled,
      Structural schema,
      CelTypes.Place place,
      Cardinality cardinality) {
    this.schema = schema;
    Supplier<CelTypes> types = Suppliers.memoize(() -> new CelTypes(schema, place));
    rules =
        rules(
            path,
            ruled,
            new CelRule.Scope(types, new SchemaSizes(schema, place), cardinality.max(schema)));
    shape = rules.isEmpty() ? CelAdapter.AsIs.VALUE : CelAdapter.of(schema);
    allOf = new ArrayList<>();
    List<Structural> nested = ruled.assertions().allOf();
    for (int index = 0; index < nested.size(); index++) {
      of(path + ".allOf[" + index + "]", nested.get(index), schema, place, cardinality)
          .ifPresent(allOf::add);
    }
    Cardinality each = cardinality.below(schema);
    properties = new LinkedHashMap<>();
    ruled
        .properties()
        .forEach((name, property) -> {
          Structural typed = schema.properties().get(name);
          CelValidator below = below(path + ".properties[" + name + "]", property, typed, each);
          if (below != null) {
            properties.put(name, below);
          }
        });
    additional =
        below(path + ".additionalProperties", ruled.additional(), schema.additional(), each);
    items = below(path + ".items", ruled.items(), schema.items(), each);
  }

  private static List<CelRule> rules(String path, Structural ruled, CelRule.Scope scope) {
    var rules = new ArrayList<CelRule>();
    for (int index = 0; index < ruled.rules().size(); index++) {
      RuleSource source = ruled.rules().get(index);
      if (!source.rule().isBlank()) {
        rules.add(new CelRule(path + ".x-kubernetes-validations[" + index + "]", source, scope));
      }
    }
    return List.copyOf(rules);
  }

  /** The rules of a resource's schema; empty if there are none. */
  public static Optional<CelValidator> of(Structural schema) {
    return of("", schema, schema, CelTypes.Place.RESOURCE, Cardinality.ONE);
  }

  /**
   * @param path where the rules stand in the schema
   * @param ruled carries the rules; the schema itself or one of its {@code allOf}
   * @param schema carries the types
   */
  private static Optional<CelValidator> of(
      String path,
      Structural ruled,
      Structural schema,
      CelTypes.Place place,
      Cardinality cardinality) {
    return Optional.of(new CelValidator(path, ruled, schema, place, cardinality))
        .filter(CelValidator::hasRules);
  }

  private static @Nullable CelValidator below(
      String path,
      @Nullable Structural ruled,
      @Nullable Structural schema,
      Cardinality cardinality) {
    if (ruled == null || schema == null) {
      return null;
    }
    CelTypes.Place place = schema.embedded() ? CelTypes.Place.RESOURCE : CelTypes.Place.FIELD;
    return of(path, ruled, schema, place, cardinality).orElse(null);
  }

  private boolean hasRules() {
    return !rules.isEmpty()
        || !allOf.isEmpty()
        || !properties.isEmpty()
        || additional != null
        || items != null;
  }

  /**
   * Where findings go.
   *
   * @param tolerated is given the violations that an update leaves as they were
   */
  public record Findings(Collection<? super FieldError> errors, Consumer<FieldError> tolerated) {
    private void add(FieldError error) {
      errors.add(error);
    }
  }

  /**
   * Collects violations.
   *
   * @param old what the value was before, {@link ValueValidator#NOTHING_OLD} if unknown
   */
  public void validate(String path, @Nullable Object value, @Nullable Object old, Findings errors) {
    try {
      validate(path, value, old, Ratchet.STRICT, errors);
    } catch (TooExpensive ended) {
      errors.add(ended.error);
    }
  }

  /** Ends the validation: what comes after a rule that is too expensive is not looked at. */
  private static final class TooExpensive extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient FieldError error;

    private TooExpensive(FieldError error) {
      super(error.message(), null, false, false);
      this.error = error;
    }
  }

  private void validate(
      String path, @Nullable Object value, @Nullable Object old, Ratchet above, Findings errors) {
    if (value == null) {
      return;
    }
    if (!rules.isEmpty()) {
      evaluate(path, value, old, above, errors);
    }
    allOf.forEach(nested -> nested.validate(path, value, old, above, errors));
    if (properties.isEmpty() && additional == null && items == null) {
      return;
    }
    Ratchet ratchet = Objects.equals(old, value) ? Ratchet.UNCHANGED : above;
    switch (value) {
      case Map<?, ?> _ ->
          Trees.mapOrEmpty(value)
              .forEach((name, child) -> {
                CelValidator listed = properties.get(name);
                if (listed != null) {
                  String below = path.isEmpty() ? name : path + "." + name;
                  listed.validate(below, child, oldChild(old, name), ratchet, errors);
                } else if (additional != null && !schema.properties().containsKey(name)) {
                  additional.validate(
                      path + "[" + name + "]", child, oldChild(old, name), ratchet, errors);
                }
              });
      case List<?> list when items != null -> {
        var oldItems = new OldItems(schema, old);
        for (int index = 0; index < list.size(); index++) {
          Object item = list.get(index);
          items.validate(
              path + "[" + index + "]", item, oldItems.counterpart(item), ratchet, errors);
        }
      }
      default -> {}
    }
  }

  private void evaluate(
      String path, @Nullable Object value, @Nullable Object old, Ratchet above, Findings errors) {
    boolean hasOld = old != NOTHING_OLD && old != null;
    boolean unchanged = above == Ratchet.UNCHANGED || Objects.equals(old, value);
    Object self = shape.of(value);
    Optional<Object> oldSelf = hasOld ? Optional.of(shape.of(old)) : Optional.empty();
    for (CelRule rule : rules) {
      try {
        CelExpression condition = rule.condition();
        boolean optional = rule.source().oldSelf() == RuleSource.OldSelf.OPTIONAL;
        boolean transition = condition.uses(CelRule.OLD_SELF);
        if (transition && !hasOld && !optional) {
          continue;
        }
        var variables = new LinkedHashMap<String, Object>();
        variables.put(CelRule.SELF, self);
        if (optional) {
          variables.put(CelRule.OLD_SELF, oldSelf);
        } else {
          oldSelf.ifPresent(before -> variables.put(CelRule.OLD_SELF, before));
        }
        if (!Boolean.TRUE.equals(condition.evaluate(variables))) {
          FieldError violation = violation(path, value, rule, variables);
          if (transition || !unchanged) {
            errors.add(violation);
          } else {
            errors.tolerated().accept(violation);
          }
        }
      } catch (InvalidExpression e) {
        errors.add(failure(path, "rule compile error: " + e.getMessage()));
      } catch (EvaluationFailed e) {
        if (String.valueOf(e.getMessage()).startsWith("operation cancelled")) {
          throw new TooExpensive(
              failure(
                  path,
                  "'%s': no further validation rules will be run due to call cost exceeds limit for rule: %s"
                      .formatted(e.getMessage(), rule.source().cited())));
        }
        errors.add(failure(path, explain(e, rule.source())));
      }
    }
  }

  private static String explain(EvaluationFailed failure, RuleSource rule) {
    String problem = String.valueOf(failure.getMessage());
    if (problem.startsWith("no such overload")) {
      return "'%s': call arguments did not match a supported operator, function or macro signature for rule: %s"
          .formatted(problem, rule.cited());
    }
    return problem + " evaluating rule: " + rule.cited();
  }

  private FieldError violation(
      String path, @Nullable Object value, CelRule rule, Map<String, Object> variables) {
    String field = field(path + relative(rule.source().fieldPath()));
    boolean shown = !schema.type().equals("object") && !schema.type().equals("array");
    String message = rule.message(variables);
    return switch (rule.source().reason()) {
      case REQUIRED -> FieldError.required(field, message);
      case FORBIDDEN -> FieldError.forbidden(field, message);
      case DUPLICATE ->
          shown ? FieldError.duplicate(field, value) : FieldError.duplicateOmitted(field);
      case INVALID ->
          shown
              ? FieldError.invalid(field, value, message)
              : FieldError.invalidOmitted(field, message);
    };
  }

  private FieldError failure(String path, String detail) {
    return FieldError.invalid(field(path), schema.type(), detail);
  }

  /** All rules below and here, for compiling them before the schema is served. */
  public List<CelRule> allRules() {
    var all = new ArrayList<CelRule>();
    if (additional != null) {
      all.addAll(additional.allRules());
    }
    properties.values().forEach(nested -> all.addAll(nested.allRules()));
    if (items != null) {
      all.addAll(items.allRules());
    }
    allOf.forEach(nested -> all.addAll(nested.allRules()));
    all.addAll(rules);
    return all;
  }

  private static String field(String path) {
    String own = path.startsWith(".") ? path.substring(1) : path;
    return own.isEmpty() ? FieldError.NO_FIELD : own;
  }

  /** {@code .a['b.c']} as errors show it. */
  private static String relative(String fieldPath) {
    return fieldPath.replaceAll("\\['([^']*)'\\]", ".$1");
  }

  private static @Nullable Object oldChild(@Nullable Object old, String name) {
    return old instanceof Map<?, ?> map && map.containsKey(name) ? map.get(name) : NOTHING_OLD;
  }

  /** Whether violations are news, or were there before the update. */
  private enum Ratchet {
    STRICT,
    UNCHANGED
  }
}
