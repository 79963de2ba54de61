package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import java.util.List;
import java.util.Map;

/** How ServiceAccounts are written: they refer to Secrets by name alone. */
public final class ServiceAccountStrategy implements ResourceStrategy {
  @Override
  public DeleteAnswer deleteAnswer() {
    return DeleteAnswer.OBJECT;
  }

  @Override
  public KubeObject prepareForCreate(KubeObject object, WriteContext context) {
    return named(object);
  }

  @Override
  public KubeObject prepareForUpdate(KubeObject updated, KubeObject current, WriteContext context) {
    return named(updated);
  }

  private static KubeObject named(KubeObject account) {
    List<Map<String, String>> secrets =
        account.list("secrets").stream()
            .map(secret -> Trees.text(secret, "name"))
            .map(name -> name.isEmpty() ? Map.<String, String>of() : Map.of("name", name))
            .toList();
    return secrets.isEmpty() ? account : account.with(secrets, "secrets");
  }
}
