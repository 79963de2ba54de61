package dev.mooring.sandbox.crd;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** CustomResourceDefinitions for tests. */
public final class Definitions {
  private Definitions() {}

  public static KubeObject object(String yaml) {
    Object loaded = new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
    return KubeObject.of(Trees.mapOrEmpty(loaded));
  }

  public static KubeObject widgets() {
    return object(
        """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: widgets.wire.example.io, uid: u1, generation: 1}
        spec:
          group: wire.example.io
          scope: Namespaced
          names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList, shortNames: [wd], categories: [all]}
          conversion: {strategy: None}
          versions:
          - name: v1
            served: true
            storage: true
            subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector}}
            additionalPrinterColumns:
            - {name: Size, type: integer, jsonPath: .spec.size}
            - {name: Age, type: date, jsonPath: .metadata.creationTimestamp}
            schema:
              openAPIV3Schema:
                type: object
                required: [spec]
                properties:
                  spec:
                    type: object
                    required: [size]
                    properties:
                      size: {type: integer, minimum: 1}
                      replicas: {type: integer, default: 1}
                  status: {type: object, properties: {phase: {type: string}, replicas: {type: integer}, selector: {type: string}}}
        status: {conditions: null, acceptedNames: {plural: "", kind: ""}, storedVersions: [v1]}
        """);
  }
}
