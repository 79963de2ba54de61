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
  private final CelAdapter adapter;
  private final List<CelRule> rules = new ArrayList<>();
  private final Map<String, CelValidator> properties = new LinkedHashMap<>();
  private final @Nullable CelValidator additional;
  private final @Nullable CelValidator items;

  /**
   * Where values are in an object.
   *
   * @param path of their schema
   * @param cardinality how often they can be there; negative if there is no limit
   * @param uncorrelatable the lowest part of the schema around them of which old and new values are
   *     not known to belong together; empty if there is none
   */
  private record Location(
      String path, CelTypes.Place place, long cardinality, Optional<String> uncorrelatable) {

    /**
     * @param correlatable whether old and new values below the node are known to belong together
     */
    Location below(Structural node, String step, Structural child, boolean correlatable) {
      return new Location(
          path + step,
          child.embedded() ? CelTypes.Place.RESOURCE : CelTypes.Place.FIELD,
          SchemaSizes.below(cardinality, node),
          correlatable ? uncorrelatable : uncorrelatable.or(() -> Optional.of(path)));
    }
  }

  private CelValidator(Structural schema, Location location) {
    this.schema = schema;
    Supplier<CelTypes> types = Suppliers.memoize(() -> new CelTypes(schema, location.place()));
    var scope =
        new CelRule.Scope(
            types,
            new SchemaSizes(schema, location.place()),
            SchemaSizes.max(location.cardinality(), schema),
            location.uncorrelatable());
    for (int index = 0; index < schema.rules().size(); index++) {
      RuleSource source = schema.rules().get(index);
      if (!source.rule().isBlank()) {
        String path = location.path() + ".x-kubernetes-validations[" + index + "]";
        rules.add(new CelRule(path, schema, source, scope));
      }
    }
    adapter = rules.isEmpty() ? CelAdapter.AS_IS : CelAdapter.of(schema);
    schema
        .properties()
        .forEach((name, property) -> {
          String step = ".properties[" + name + "]";
          CelValidator below =
              of(property, location.below(schema, step, property, !schema.atomicMap()));
          if (below != null) {
            properties.put(name, below);
          }
        });
    additional = below(schema.additional(), location, ".additionalProperties", true);
    items = below(schema.items(), location, ".items", schema.listType().equals("map"));
  }

  private @Nullable CelValidator below(
      @Nullable Structural child, Location location, String step, boolean correlatable) {
    return child == null ? null : of(child, location.below(schema, step, child, correlatable));
  }

  /** The rules of a resource's schema; empty if there are none. */
  public static Optional<CelValidator> of(Structural schema) {
    return Optional.ofNullable(
        of(schema, new Location("", CelTypes.Place.RESOURCE, 1, Optional.empty())));
  }

  /** Null if there are no rules, here or below. */
  private static @Nullable CelValidator of(Structural schema, Location location) {
    var validator = new CelValidator(schema, location);
    boolean hasRules =
        !validator.rules.isEmpty()
            || !validator.properties.isEmpty()
            || validator.additional != null
            || validator.items != null;
    return hasRules ? validator : null;
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
      validate(path, value, old, false, errors);
    } catch (EvaluationFailed tooExpensive) {
      // What comes after a rule that is too expensive is not looked at.
    }
  }

  /**
   * Throws {@link EvaluationFailed} for a rule that is too expensive.
   *
   * @param unchanged whether an update leaves a value around this one as it was, so that violations
   *     are no news
   */
  private void validate(
      String path,
      @Nullable Object value,
      @Nullable Object old,
      boolean unchanged,
      Findings errors) {
    if (value == null) {
      return;
    }
    if (!rules.isEmpty()) {
      evaluate(path, value, old, unchanged, errors);
    }
    if (properties.isEmpty() && additional == null && items == null) {
      return;
    }
    boolean same = unchanged || Objects.equals(old, value);
    switch (value) {
      case Map<?, ?> _ ->
          Trees.mapOrEmpty(value)
              .forEach((name, child) -> {
                CelValidator listed = properties.get(name);
                if (listed != null) {
                  String below = path.isEmpty() ? name : path + "." + name;
                  listed.validate(below, child, oldChild(old, name), same, errors);
                } else if (additional != null && !schema.properties().containsKey(name)) {
                  additional.validate(
                      path + "[" + name + "]", child, oldChild(old, name), same, errors);
                }
              });
      case List<?> list when items != null -> {
        var oldItems = new OldItems(schema, old);
        for (int index = 0; index < list.size(); index++) {
          Object item = list.get(index);
          items.validate(path + "[" + index + "]", item, oldItems.counterpart(item), same, errors);
        }
      }
      default -> {}
    }
  }

  private void evaluate(
      String path,
      @Nullable Object value,
      @Nullable Object old,
      boolean unchanged,
      Findings errors) {
    boolean hasOld = old != NOTHING_OLD && old != null;
    boolean same = unchanged || Objects.equals(old, value);
    Object self = adapter.of(value);
    Optional<Object> oldSelf = hasOld ? Optional.of(adapter.of(old)) : Optional.empty();
    for (CelRule rule : rules) {
      try {
        CelExpression condition = rule.condition();
        boolean optional = Boolean.TRUE.equals(rule.source().optionalOldSelf());
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
          if (transition || !same) {
            errors.add(violation);
          } else {
            errors.tolerated().accept(violation);
          }
        }
      } catch (InvalidExpression e) {
        errors.add(failure(path, "rule compile error: " + e.getMessage()));
      } catch (EvaluationFailed e) {
        errors.add(failure(path, e.getMessage() + " evaluating rule: " + rule.source().cited()));
        if (CelExpression.TOO_EXPENSIVE.equals(e.getMessage())) {
          throw e;
        }
      }
    }
  }

  private FieldError violation(
      String path, @Nullable Object value, CelRule rule, Map<String, Object> variables) {
    String field = field(path + relative(rule.source().fieldPath()));
    boolean shown = !schema.type().equals("object") && !schema.type().equals("array");
    String message = rule.message(variables);
    return switch (rule.source().reason()) {
      case "FieldValueRequired" -> FieldError.required(field, message);
      case "FieldValueForbidden" -> FieldError.forbidden(field, message);
      case "FieldValueDuplicate" ->
          shown ? FieldError.duplicate(field, value) : FieldError.duplicateOmitted(field);
      default ->
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
}
