package dev.mooring.sandbox.admission.webhook;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.match.RuleValidation;
import dev.mooring.sandbox.admission.match.WebhookAddress;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Defaults and rules of ValidatingWebhookConfiguration and MutatingWebhookConfiguration
 * (kubernetes/pkg/apis/admissionregistration).
 */
public final class WebhookConfigurationStrategy implements ResourceStrategy {
  private static final long DEFAULT_TIMEOUT_SECONDS = 10;

  private final ReviewCodec.Kind kind;

  private WebhookConfigurationStrategy(ReviewCodec.Kind kind) {
    this.kind = kind;
  }

  public static WebhookConfigurationStrategy validating() {
    return new WebhookConfigurationStrategy(ReviewCodec.Kind.VALIDATING);
  }

  public static WebhookConfigurationStrategy mutating() {
    return new WebhookConfigurationStrategy(ReviewCodec.Kind.MUTATING);
  }

  @Override
  public Generation generation() {
    return Generation.COUNTED;
  }

  @Override
  public KubeObject applyDefaults(KubeObject object) {
    if (!(object.at("webhooks") instanceof List<?>)) {
      return object;
    }
    return object.with(
        object.list("webhooks").stream().map(this::defaultedWebhook).toList(), "webhooks");
  }

  private Object defaultedWebhook(Object webhook) {
    if (!(webhook instanceof Map<?, ?>)) {
      return webhook;
    }
    Map<String, Object> tree = Trees.thawMap(Trees.mapOrEmpty(webhook));
    tree.putIfAbsent("failurePolicy", "Fail");
    tree.putIfAbsent("matchPolicy", "Equivalent");
    tree.putIfAbsent("namespaceSelector", Map.of());
    tree.putIfAbsent("objectSelector", Map.of());
    tree.putIfAbsent("timeoutSeconds", DEFAULT_TIMEOUT_SECONDS);
    if (tree.get("clientConfig") instanceof Map<?, ?> config
        && config.get("service") instanceof Map<?, ?> service) {
      Map<String, Object> address = Trees.thawMap(service);
      address.putIfAbsent("port", WebhookAddress.DEFAULT_PORT);
      Map<String, Object> client = Trees.thawMap(config);
      client.put("service", address);
      tree.put("clientConfig", client);
    }
    if (kind == ReviewCodec.Kind.MUTATING) {
      tree.putIfAbsent("reinvocationPolicy", "Never");
    }
    if (tree.get("rules") instanceof List<?> rules) {
      tree.put("rules", rules.stream().map(RuleValidation::defaulted).toList());
    }
    return tree;
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    var errors = new FieldErrors();
    var names = new ArrayList<String>();
    List<Object> webhooks = object.list("webhooks");
    for (int i = 0; i < webhooks.size(); i++) {
      String path = "webhooks[" + i + "]";
      errors.addAll(WebhookValidation.validate(webhooks.get(i), path, kind));
      String name = Trees.text(webhooks.get(i), "name");
      if (!name.isEmpty() && names.contains(name)) {
        errors.duplicate(path + ".name", name);
      }
      names.add(name);
    }
    return errors;
  }
}
