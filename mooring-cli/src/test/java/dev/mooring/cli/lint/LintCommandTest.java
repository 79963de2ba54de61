package dev.mooring.cli.lint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.CommandRun;
import dev.mooring.cli.manifest.ManifestReader;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LintCommandTest {
  private static final String PUBLISHED =
      """
      apiVersion: syncagent.kcp.io/v1alpha1
      kind: PublishedResource
      metadata:
        name: certificates
      spec:
        resource:
          apiGroup: pki.example.corp
          kind: Certificate
      """;
  private static final String CRD =
      """
      ---
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: certificates.pki.example.corp}
      spec:
        group: pki.example.corp
        scope: Namespaced
        names: {plural: certificates, singular: certificate, kind: Certificate, listKind: CertificateList}
        versions:
        - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
      """;
  private static final String RULE =
      """
      apiVersion: dependencies.opendefense.cloud/v1alpha1
      kind: DependencyRule
      metadata: {name: machines}
      spec:
        dependent: {apiExportName: compute, group: compute.example.corp, version: v1, kind: VM, resource: vms}
        dependencies:
        - apiExportRef: {path: root:net, name: network}
          group: network.example.corp
          version: v1
          resource: networks
          fieldRef: {path: .spec.network}
      """;

  private static final String MACHINES =
      """
      ---
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: vms.compute.example.corp}
      spec:
        group: compute.example.corp
        scope: Namespaced
        names: {plural: vms, singular: vm, kind: VM, listKind: VMList}
        versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec: {type: object, properties: {network: {type: string}}}
      """;
  private static final String TYPED_CRD =
      CRD.replace(
          "{type: object}}}",
          "{type: object, properties: {status: {type: object, properties: {secret: {type:"
              + " string}}}, spec: {type: object, properties: {domain: {type: string}, dnsNames:"
              + " {type: array, items: {type: string}}}}}}}}");

  private static final String CONVERTED =
      CRD.replace(
              "  versions:\n",
              """
                conversion:
                  strategy: Webhook
                  webhook: {conversionReviewVersions: [v1], clientConfig: {service: {namespace: a, name: b}}}
                versions:
              """)
          .replace(
              "{type: object}}}",
              "{type: object, properties: {after: {type: string}}}}, additionalPrinterColumns:"
                  + " [{name: Age, type: date, jsonPath: .metadata.creationTimestamp}, {name: Age,"
                  + " type: date, jsonPath: .metadata.deletionTimestamp}]}\n"
                  + "  - {name: v1beta1, served: true, storage: false, schema: {openAPIV3Schema:"
                  + " {type: object, properties: {before: {type: string}}}}}");

  @Test
  void acceptsWhatTheServicesAccept() {
    CommandRun run = lint(PUBLISHED + CRD + "---\n" + RULE);

    assertThat(run.out())
        .isEqualTo(
            """
            checked 3 objects: 0 errors, 0 warnings
            dependents of these rules, for the chart: kcpManifests.dependents: [{apiGroups: [compute.example.corp], resources: [vms]}]
            """);
    assertThat(run.status()).isZero();
  }

  @Test
  void namesLineAndKnownFieldsOfAnUnknownField() {
    CommandRun run = lint(PUBLISHED + "  naming: {nam: x}\n");

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out())
        .contains("<stdin>:9")
        .contains("UnknownField")
        .contains("known here: cleanupNamespaces, name, namespace");
  }

  @Test
  void warnsOfWhatExternalPublishingIgnores() {
    String settings =
        "  synchronization: {enabled: true, schemaChanges: RequireApproval, prune: {keep: 1}}\n";

    CommandRun external = lint(PUBLISHED + settings + "  publishing: External\n");
    assertThat(external.status()).isZero();
    assertThat(external.out())
        .contains("spec.synchronization.schemaChanges has no effect")
        .contains("spec.synchronization.prune has no effect")
        .contains("0 errors, 2 warnings");

    assertThat(lint(PUBLISHED + settings).out()).contains("0 errors, 0 warnings");
    assertThat(lint(PUBLISHED + settings, "--publishing=External").out()).contains("2 warnings");
    assertThat(
            lint(PUBLISHED + settings + "  publishing: Managed\n", "--publishing=External").out())
        .contains("0 warnings");
    assertThat(lint(PUBLISHED, "--publishing=Git").err())
        .contains("expected one of [MANAGED, EXTERNAL] (case-insensitive) but was 'Git'");
  }

  @Test
  void reportsATemplateThatTheAgentCannotCompile() {
    assertThat(lint(PUBLISHED + "  naming: {name: '{{ .Object.x'}\n").out())
        .contains("<stdin>:9")
        .contains("InvalidTemplate   spec.naming.name: ");
  }

  @Test
  void reportsAVersionThatTheCrdDoesNotServe() {
    assertThat(lint(PUBLISHED + "    versions: [v2]\n" + CRD).out())
        .contains("VersionNotServed")
        .contains("served are [v1]");
  }

  @Test
  void reportsTwoPublishedResourcesOfOneType() {
    CommandRun run =
        lint(PUBLISHED + "---\n" + PUBLISHED.replace("name: certificates", "name: again"));

    assertThat(run.out())
        .contains("DuplicateResource")
        .contains("PublishedResource certificates (<stdin>:6)")
        .contains("<stdin>:15 ");
  }

  @Test
  void acceptsASecondOneThatSyncsNothingAndHasAnotherName() {
    String second =
        PUBLISHED.replace("name: certificates", "name: again")
            + "  projection: {group: other.example.corp}\n  synchronization: {enabled: false}\n";

    assertThat(lint(PUBLISHED + "---\n" + second + CRD).status()).isZero();
  }

  @Test
  void reportsAnExpressionThatTheServicesCannotCompile() {
    assertThat(lint(RULE.replace("  dependent:", "  when: object.spec. = 1\n  dependent:")).out())
        .contains("<stdin>:5 ")
        .contains("PartlyInvalid   spec.when: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          when: "'Retired'"           | spec.when: the CEL expression yields a value of type string
          when: size(object.spec)     | spec.when: the CEL expression yields a value of type int
          when: {state: Retired}      | spec.when: Invalid value: "object": spec.when in body must be of type string
          when: true                  | spec.when: Invalid value: "boolean": spec.when in body must be of type string
          """)
  void reportsAConditionThatIsNone(String condition, String said) {
    assertThat(lint(RULE.replace("  dependent:", "  " + condition + "\n  dependent:")).out())
        .contains("<stdin>:5 ")
        .contains(said);
  }

  /** Each property of both kinds, items and values of maps included. */
  @ParameterizedTest
  @ValueSource(strings = {"publishedresources.syncagent.kcp.io.yaml", "crd.yaml"})
  void reportsEachFieldOfAnotherJsonType(String crd) {
    KubeObject definition = ManifestReader.ofResource("/schema/" + crd);
    Object version = definition.list("spec", "versions").getFirst();
    Map<String, String> types = new TreeMap<>();
    types("spec", Trees.map(version, "schema", "openAPIV3Schema", "properties", "spec"), types);

    assertThat(types).hasSizeGreaterThan(30);
    types.forEach((path, type) -> {
      Object wrong = type.equals("string") ? Map.of() : "no " + type;
      List<String> steps = List.of(path.split("[.]"));
      for (int i = steps.size() - 1; i > 0; i--) {
        String step = steps.get(i);
        wrong =
            step.endsWith("[0]")
                ? Map.of(step.replace("[0]", ""), List.of(wrong))
                : Map.of(step, wrong);
      }
      String manifest =
          new String(
              KubeJson.write(
                  Map.of(
                      "apiVersion",
                      definition.text("spec", "group") + "/" + Trees.text(version, "name"),
                      "kind",
                      definition.text("spec", "names", "kind"),
                      "metadata",
                      Map.of("name", "x"),
                      "spec",
                      wrong)),
              StandardCharsets.UTF_8);
      assertThat(lint(manifest).out())
          .as(manifest)
          .contains(path)
          .contains("must be of type " + type);
    });
  }

  private static void types(String path, Map<String, Object> schema, Map<String, String> found) {
    found.put(path, Trees.text(schema, "type"));
    Trees.map(schema, "properties")
        .forEach((name, field) -> types(path + "." + name, Trees.mapOrEmpty(field), found));
    if (!Trees.map(schema, "items").isEmpty()) {
      types(path + "[0]", Trees.map(schema, "items"), found);
    }
    if (!Trees.map(schema, "additionalProperties").isEmpty()) {
      types(path + ".any", Trees.map(schema, "additionalProperties"), found);
    }
  }

  @Test
  void reportsAFieldOnceThoughSchemaAndServiceRefuseIt() {
    assertThat(lint(RULE.replace("spec:\n", "spec:\n  mode: Dney\n")).out())
        .containsOnlyOnce("spec.mode")
        .contains("\"Deny\", \"Warn\", \"Audit\"");
  }

  @Test
  void warnsOfRaceProtectionThatHasNoEffect() {
    CommandRun run =
        lint(RULE.replace("spec:\n", "spec:\n  mode: Warn\n  raceProtection: strict\n"));

    assertThat(run.out())
        .contains("<stdin>:6 ")
        .contains("warning")
        .contains("set spec.mode to Deny");
    assertThat(run.status()).isZero();
  }

  @Test
  void reportsAPathThatDoesNotBeginAtRootOrALogicalCluster() {
    CommandRun run = lint(RULE.replace("path: root:net", "path: net"));
    CommandRun cluster = lint(RULE.replace("path: root:net", "path: a1b2c3d4e5f6g7h8:net"));

    assertThat(run.out())
        .contains("<stdin>:7 ")
        .contains("NotFromRoot")
        .contains("write apiExportRef.path from root");
    assertThat(run.status()).isEqualTo(1);
    assertThat(cluster.out()).contains("NotFromRoot").contains("0 errors, 1 warning");
  }

  @Test
  void warnsOfACycle() {
    CommandRun run =
        lint(
            RULE.replace("network.example.corp", "compute.example.corp")
                .replace("resource: networks", "resource: vms"));

    assertThat(run.out()).contains("<stdin>:6 ").contains("warning").contains("Cyclic");
    assertThat(run.status()).isZero();
  }

  @Test
  void reportsAnotherKindAndAnotherVersionOfItsGroups() {
    assertThat(lint(PUBLISHED.replace("kind: PublishedResource", "kind: PublishedResources")).out())
        .contains("<stdin>:2 ")
        .contains("use PublishedResource");
    assertThat(lint(RULE.replace("v1alpha1", "v1beta1")).out())
        .contains("<stdin>:1 ")
        .contains("use dependencies.opendefense.cloud/v1alpha1");
  }

  @Test
  void reportsTextThatIsNoYaml() {
    CommandRun run = lint(PUBLISHED + "---\na: [\n");

    assertThat(run.out()).contains("Malformed").contains("checked 1 object: 1 error");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void printsFindingsAsJson() {
    CommandRun run =
        CommandRun.withInput(PUBLISHED + "  naming: {nam: x}\n", "lint", "-", "-o", "json");

    assertThat(Trees.listOrEmpty(KubeJson.read(run.out())))
        .singleElement()
        .satisfies(finding -> {
          assertThat(Trees.at(finding, "line")).isEqualTo(9L);
          assertThat(Trees.at(finding, "reason")).isEqualTo("UnknownField");
        });
  }

  @Test
  void findsFieldsOfARuleThatTheSchemaLacks() {
    CommandRun run = lint(RULE.replace(".spec.network", ".spec.netwrk.name") + MACHINES);

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out())
        .contains("<stdin>:11 ")
        .contains("FieldNotInSchema")
        .contains(".path: .spec has no field \"netwrk\" (did you mean \"network\"?)");
    assertThat(lint(RULE + MACHINES).out()).contains("0 errors");
  }

  /** A schema never changes under its name, so a workspace has one for each change of a type. */
  @Test
  void aRuleIsCheckedWithTheSchemaThatTheExportLists() {
    String schemas = schema("a", "before") + schema("b", "network") + schema("c", "after");

    assertThat(lint(RULE + schemas + export("b")).out()).contains("0 errors");
    assertThat(lint(RULE + schemas + export("a")).out())
        .contains(".spec has no field \"network\"")
        .contains("1 error");
    assertThat(lint(RULE + schemas).out()).contains("0 errors");
    assertThat(lint(RULE + schema("a", "before")).out()).contains("1 error");
    assertThat(lint(RULE + schema("a", "before") + export("d")).out()).contains("0 errors");
  }

  private static String schema(String prefix, String field) {
    return MACHINES
        .replace("apiextensions.k8s.io/v1", "apis.kcp.io/v1alpha1")
        .replace("CustomResourceDefinition", "APIResourceSchema")
        .replace("name: vms.", "name: " + prefix + ".vms.")
        .replace("openAPIV3Schema:", "")
        .replace("network:", field + ":");
  }

  private static String export(String prefix) {
    return """
    ---
    apiVersion: apis.kcp.io/v1alpha2
    kind: APIExport
    metadata: {name: compute}
    spec:
      resources:
      - {group: compute.example.corp, name: vms, schema: %s.vms.compute.example.corp}
    """
        .formatted(prefix);
  }

  @Test
  void findsFieldsOfAPublishedResourceThatTheSchemaLacks() {
    String related =
        """
          related:
          - identifier: secret
            origin: service
            kind: Secret
            object: {reference: {path: status.secret.name}}
          mutation:
            spec:
            - regex: {path: spec.dnsName.0, pattern: x, replacement: y}
            - cel: {path: spec.domain, expression: self.spec.domian + '.x'}
          naming: {name: '{{ .Object.spec.nam }}'}
        """
            .indent(0);
    CommandRun run = lint(PUBLISHED + related + TYPED_CRD);

    assertThat(run.out())
        .contains("spec.related[0].object.reference.path: .status.secret is a string, which has no")
        .contains("regex.path: .spec has no field \"dnsName\" (did you mean \"dnsNames\"?)")
        .contains("cel.expression: .spec has no field \"domian\" (did you mean \"domain\"?)")
        .contains("spec.naming.name: .spec has no field \"nam\"")
        .contains("4 errors");
  }

  /** In files, of any type whose schema is among them; the agent knows Secrets and ConfigMaps. */
  @Test
  void findsFieldsOfMutationsThatRelatedObjectsLack() {
    String related =
        """
          related:
          - identifier: ca
            origin: kcp
            kind: ConfigMap
            object: {template: {template: ca}}
            mutation:
              spec:
              - delete: {path: dta.internal}
              - regex: {path: 'binaryData.ca\\.crt', pattern: x, replacement: y}
              - template: {path: metadata.labels.from, template: '{{ .RemoteObject.metadata.nam }}'}
          - identifier: parent
            origin: service
            group: pki.example.corp
            version: v1
            resource: certificates
            object: {template: {template: parent}}
            mutation:
              spec: [{delete: {path: spec.domian}}, {delete: {path: spec.domain}}]
          - identifier: other
            origin: service
            group: pki.example.corp
            version: v1
            resource: certificates
            projection: {group: other.example.corp, version: v2}
            object: {template: {template: other}}
            mutation:
              spec: [{delete: {path: spec.domian}}, {delete: {path: spec..domain}}]
        """
            .indent(0);

    assertThat(lint(PUBLISHED + related + TYPED_CRD).out())
        .contains("spec.related[0].mutation.spec[0].delete.path: the object has no field \"dta\"")
        .contains("spec[2].template.template: .metadata has no field \"nam\"")
        .contains("spec.related[1].mutation.spec[0].delete.path: .spec has no field \"domian\"")
        .contains(
            "spec.related[2].mutation.spec[1].delete.path: the path has a step without a name")
        .contains("4 errors");
  }

  @Test
  void refusesWhatServersRefuse() {
    assertThat(lint(PUBLISHED.replace("name: certificates", "name: Certificates_1")).out())
        .contains("metadata.name: \"Certificates_1\": use lower case");
    assertThat(lint(PUBLISHED + "  projection: {group: Bad_Group}\n" + TYPED_CRD).out())
        .contains("kcp would refuse the APIResourceSchema: spec.group");
    assertThat(lint(PUBLISHED + TYPED_CRD.replace("type: string", "type: strng")).out())
        .contains("Unsupported value: \"strng\"");
    assertThat(lint(PUBLISHED + "  naming: {name: fixed}\n").out())
        .contains("every copy would have the name \"fixed\"");
    assertThat(
            lint(PUBLISHED
                    + "  related: [{identifier: a, origin: kcp, kind: Secret, object: {reference:"
                    + " {path: a.b}, template: {template: x}}}]\n")
                .out())
        .contains("reference and template exclude each other");
  }

  @Test
  void warnsOfUnknownAnnotations() {
    CommandRun run =
        lint(
            PUBLISHED.replace(
                "metadata:",
                "metadata:\n  annotations: {syncagent.kcp.io/approved-shema: v1, other/x: y}"));

    assertThat(run.status()).isZero();
    assertThat(run.out())
        .contains("syncagent.kcp.io/approved-shema is unknown to the agent")
        .contains("0 errors, 1 warning");
  }

  @Test
  void reportsAllMistakesOfAnObject() {
    CommandRun run =
        lint(
            PUBLISHED
                + """
                  naming: {name: '{{ .Object.spec..a }}', namespace: '{{ .Nope }}'}
                  filter: {resource: {matchExpressions: [{key: a, operator: In}]}}
                  mutation:
                    spec:
                    - regex: {path: spec.a, pattern: "("}
                    - delete: {path: spec..a}
                    status:
                    - template: {path: a, template: "{{"}
                  related:
                  - {identifier: a, origin: kcp, kind: Secret, object: {}}
                  - {identifier: a, origin: kcp, kind: Secret, object: {reference: {path: a..b}}}
                """);

    assertThat(run.out())
        .contains("spec.naming.name: unexpected \".\"")
        .contains("spec.naming.namespace: unknown field .Nope")
        .contains("spec.filter.resource.matchExpressions[0].values: Required value")
        .contains("spec.mutation.spec[0].regex: the pattern is not valid")
        .contains("spec.mutation.spec[1].delete.path: the path has a step without a name")
        .contains("spec.mutation.status[0].template.template: \"{{\" is never closed")
        .contains("spec.related[0].object: one of reference, selector or template")
        .contains("spec.related[1].object.reference.path: the path has a step without a name")
        .contains("8 errors");
  }

  /** What is replaced by what in a definition that nothing publishes, and what is reported. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {type: string}      | {type: strng}               | <stdin>:16 .*"strng": supported values
          {type: string}      | {type: string, maxLen: 5}   | <stdin>:16 .*network.maxLen: unknown field
          {type: string}      | {type: string, default: 5}  | <stdin>:16 .*default.*must be of type string
          storage: true       | storage: false              | <stdin>:8 .*spec.versions: must have exactly one
          served: true        | served: maybe               | <stdin>:[0-9]+ .*served: must be of type bool
          scope: Namespaced   | scope: namespaced           | <stdin>:6 .*supported values: "Cluster"
          vms.compute         | vm.compute                  | <stdin>:3 .*must be spec.names.plural
          extensions.k8s.io/v1 | extensions.k8s.io/v1beta1  | <stdin>:1 .*use apiextensions.k8s.io/v1
          """)
  void reportsWhatAnApiServerRefusesOfADefinition(String good, String bad, String expected) {
    CommandRun run = lint(MACHINES.substring("---\n".length()).replace(good, bad));

    assertThat(run.out()).containsPattern(expected).contains("1 error,");
    assertThat(run.status()).isEqualTo(1);
  }

  @Test
  void warnsOfADefinitionThatCannotBePublished() {
    String alpha = MACHINES.replace("name: v1", "name: alpha1");

    assertThat(lint(alpha).out())
        .contains("kcp takes no version named alpha1", "0 errors, 1 warning");
    assertThat(lint(PUBLISHED + alpha).out()).contains("0 errors, 0 warnings");
  }

  @Test
  void readsARuleWithoutAName() {
    assertThat(lint(RULE.replace("name: machines", "name: 5")).out())
        .contains("metadata.name is missing, or not a text")
        .contains("1 error,");
  }

  @Test
  void reportsANamespaceThatCannotBe() {
    assertThat(lint(PUBLISHED + "  naming: {namespace: 'Team_{{ .ClusterName }}'}\n").out())
        .contains("<stdin>:9 ", "\"Team_\" is part of no namespace's name");
    assertThat(lint(PUBLISHED + "  naming: {namespace: 'x-$remoteNamespaceHash'}\n").status())
        .isZero();
  }

  @Test
  void warnsOfFieldsThatAConversionWebhookWouldConvert() {
    CommandRun run = lint(PUBLISHED + CONVERTED);

    assertThat(run.status()).isZero();
    assertThat(run.out())
        .contains("<stdin>:6", "ConversionLeftOut", "v1: after, v1beta1: before", "2 warnings");
    assertThat(lint(PUBLISHED + "    versions: [v1]\n" + CONVERTED).out())
        .doesNotContain("ConversionLeftOut");
  }

  @Test
  void warnsOfAPrinterColumnThatRepeatsAName() {
    assertThat(lint(PUBLISHED + "    versions: [v1]\n" + CONVERTED).out())
        .contains("ColumnsLeftOut", "v1: Age (.metadata.deletionTimestamp)", "1 warning");
  }

  @Test
  void saysInWordsThatAFileIsATemplate() {
    assertThat(lint("metadata:\n  name: {{ .Release.Name }}\n").out())
        .contains("a key is not a text; render templates, such as Helm's, first");
  }

  private static CommandRun lint(String text, String... more) {
    return CommandRun.withInput(
        text, Stream.concat(Stream.of("lint", "-"), Stream.of(more)).toArray(String[]::new));
  }
}
