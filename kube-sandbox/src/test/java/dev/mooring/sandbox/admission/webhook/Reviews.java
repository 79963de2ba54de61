package dev.mooring.sandbox.admission.webhook;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.admission.AdmissionRequest;
import dev.mooring.sandbox.admission.AdmissionRequest.Operation;
import dev.mooring.sandbox.api.registry.RenamingConverter;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.api.registry.WriteContext.Effect;
import dev.mooring.sandbox.security.user.UserInfo;
import java.util.Map;
import java.util.Optional;

/** Webhooks and writes to show them. */
final class Reviews {
  static final LogicalCluster CLUSTER = new LogicalCluster("abc");

  private Reviews() {}

  static Webhook webhook(String fields) {
    String json =
        """
        {"metadata":{"name":"c"},"webhooks":[{"name":"v.example.com",
         "clientConfig":{"url":"https://127.0.0.1:1/v"},"sideEffects":"None",
         "admissionReviewVersions":["v1"],%s}]}\
        """
            .formatted(fields.replace('\'', '"'));
    return Webhook.of(KubeJson.readObject(json)).getFirst();
  }

  static ResourceDefinition gizmos(String version) {
    return ResourceDefinition.define(
            new ResourceType("a.io", version, "gizmos"),
            ResourceNames.of("gizmos", "Gizmo"),
            Scope.NAMESPACED)
        .converter(new RenamingConverter("a.io/" + version, "a.io/v1"))
        .build();
  }

  static AdmissionRequest create(String metadata) {
    KubeObject object =
        KubeJson.readObject(
            "{\"apiVersion\":\"a.io/v1\",\"kind\":\"Gizmo\",\"metadata\":%s}"
                .formatted(metadata.replace('\'', '"')));
    return new AdmissionRequest(
        Operation.CREATE,
        gizmos("v1"),
        CLUSTER,
        "default",
        "",
        "",
        UserInfo.of("alice", "team"),
        Optional.of(object),
        Optional.empty(),
        Effect.STORE,
        Map.of("kind", "CreateOptions", "apiVersion", "meta.k8s.io/v1"));
  }

  static AdmissionRequest deleteOfCollection(KubeObject previous) {
    return new AdmissionRequest(
        Operation.DELETE,
        gizmos("v1"),
        CLUSTER,
        "default",
        "",
        "",
        UserInfo.of("alice", "team"),
        Optional.empty(),
        Optional.of(previous),
        Effect.STORE,
        Map.of("kind", "DeleteOptions", "apiVersion", "meta.k8s.io/v1"));
  }
}
