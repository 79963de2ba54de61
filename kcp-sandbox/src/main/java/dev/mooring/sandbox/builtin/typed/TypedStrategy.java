package dev.mooring.sandbox.builtin.typed;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import java.util.List;
import java.util.Map;

/**
 * The strategy of a built-in resource: reads objects by their Go type and leaves the rest to rules.
 *
 * @param schema from {@link GoTypes}
 * @param rules what the resource demands beyond its type
 */
public record TypedStrategy(Map<String, Object> schema, ResourceStrategy rules)
    implements ResourceStrategy {
  @Override
  public KubeObject decode(KubeObject body, WriteContext context) {
    return rules.decode(TypedDecoder.decode(body, schema, context), context);
  }

  @Override
  public Generation generation() {
    return rules.generation();
  }

  @Override
  public PutRules putRules() {
    return rules.putRules();
  }

  @Override
  public DeleteAnswer deleteAnswer() {
    return rules.deleteAnswer();
  }

  @Override
  public KubeObject applyDefaults(KubeObject object) {
    return rules.applyDefaults(object);
  }

  @Override
  public KubeObject prepareForCreate(KubeObject object, WriteContext context) {
    return rules.prepareForCreate(object, context);
  }

  @Override
  public KubeObject prepareForUpdate(KubeObject updated, KubeObject current, WriteContext context) {
    return rules.prepareForUpdate(updated, current, context);
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    return rules.validateCreate(object, context);
  }

  @Override
  public List<FieldError> validateUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    return rules.validateUpdate(updated, current, context);
  }

  @Override
  public List<String> validateName(String name) {
    return rules.validateName(name);
  }

  @Override
  public void checkDelete(KubeObject current, WriteContext context) {
    rules.checkDelete(current, context);
  }

  @Override
  public KubeObject prepareForDelete(KubeObject object) {
    return rules.prepareForDelete(object);
  }

  @Override
  public boolean canRemove(KubeObject object) {
    return rules.canRemove(object);
  }

  @Override
  public KubeObject finishCreate(KubeObject object, WriteContext context) {
    return rules.finishCreate(object, context);
  }
}
