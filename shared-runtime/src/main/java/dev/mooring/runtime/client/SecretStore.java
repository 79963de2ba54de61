package dev.mooring.runtime.client;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.util.Map;
import java.util.Optional;

/** Secrets of one namespace. Every write is conditional on what was read. */
public record SecretStore(KubeClient workspace, String namespace) {
  private static final ResourceType SECRETS = ResourceType.core("secrets");

  public Optional<KubeObject> find(String name) {
    return workspace.find(SECRETS, namespace, name);
  }

  /**
   * @param before as it was read; empty creates it
   */
  public void write(
      String name, String type, Map<String, Object> data, Optional<KubeObject> before) {
    if (before.isPresent()) {
      workspace.update(SECRETS, before.get().with(data, "data"));
      return;
    }
    workspace.create(
        SECRETS,
        KubeObject.of(SECRETS, "Secret", namespace, name).with(type, "type").with(data, "data"));
  }
}
