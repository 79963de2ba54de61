package dev.mooring.syncagent;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.MergePatch;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.codec.YamlText;
import java.util.Map;

/** An object of a CRD: generated from its schema, and by hand where rules ask for more. */
final class SampleObjects {
  private static final Map<String, Object> BY_HAND =
      Trees.mapOrEmpty(
          YamlText.read(
              """
              Composition:
                spec:
                  mode: Pipeline
                  pipeline:
                  - step: one
                    functionRef:
                      name: fill-in
              CompositeResourceDefinition:
                metadata:
                  name: databases.example.org
                spec:
                  names:
                    kind: Database
                    plural: databases
                  group: example.org
                  versions:
                  - name: v1
                    served: true
                    referenceable: true
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          spec:
                            type: object
              KafkaTopic:
                spec:
                  partitions: 3
                  config:
                    retention.ms: 7200000
              Prometheus:
                spec:
                  replicas: 2
                  retention: 10d
              """));

  private SampleObjects() {}

  /** In namespace {@code default} unless cluster-scoped. */
  static KubeObject of(KubeObject crd, String apiVersion, String kind) {
    String version = apiVersion.substring(apiVersion.indexOf('/') + 1);
    Object schema = schema(crd, storage(crd, version));
    KubeObject sample =
        KubeObject.of(Trees.mapOrEmpty(Trees.freeze(SchemaSamples.required(schema))))
            .without("status")
            .without("metadata")
            .with(SchemaSamples.required(Trees.at(schema, "properties", "spec")), "spec")
            .with(apiVersion, "apiVersion")
            .with(kind, "kind")
            .with("sample", "metadata", "name");
    if (crd.text("spec", "scope").equals("Namespaced")) {
      sample = sample.with("default", "metadata", "namespace");
    }
    Object byHand = BY_HAND.get(crd.text("spec", "names", "kind"));
    return byHand == null ? sample : MergePatch.apply(sample, Trees.mapOrEmpty(byHand));
  }

  static Object status(KubeObject crd, String version) {
    return SchemaSamples.full(Trees.at(schema(crd, version), "properties", "status"), 2);
  }

  private static String storage(KubeObject crd, String version) {
    for (Object entry : crd.list("spec", "versions")) {
      if (Boolean.TRUE.equals(Trees.at(entry, "storage"))) {
        return Trees.textOrEmpty(Trees.at(entry, "name"));
      }
    }
    throw new IllegalArgumentException("no storage version, asked for " + version);
  }

  private static Object schema(KubeObject crd, String version) {
    return crd.list("spec", "versions").stream()
        .filter(entry -> version.equals(Trees.at(entry, "name")))
        .map(entry -> Trees.at(entry, "schema", "openAPIV3Schema"))
        .findFirst()
        .orElseThrow();
  }
}
