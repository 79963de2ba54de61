package dev.mooring.sandbox.admission.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WebhookConfigurationStrategyTest {
  private static final WriteContext CONTEXT =
      WriteContext.internal(new LogicalCluster("abc"), "", "test");

  @Test
  void fillsInTheDefaultsOfKubernetes() {
    KubeObject defaulted =
        WebhookConfigurationStrategy.mutating()
            .applyDefaults(configuration("{'name':'a.b.c','rules':[{'operations':['*']}]}"));

    Object webhook = defaulted.list("webhooks").getFirst();
    assertThat(Trees.mapOrEmpty(webhook))
        .containsEntry("failurePolicy", "Fail")
        .containsEntry("matchPolicy", "Equivalent")
        .containsEntry("timeoutSeconds", 10L)
        .containsEntry("reinvocationPolicy", "Never")
        .containsKeys("namespaceSelector", "objectSelector");
    assertThat(Trees.at(Trees.listOrEmpty(Trees.at(webhook, "rules")).getFirst(), "scope"))
        .isEqualTo("*");
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'name':'short'| name: Invalid value: \"short\": should be a domain with at least three segments separated by dots",
        "'clientConfig':{'url':'http://h/x'}| clientConfig.url: Invalid value: \"http\": 'https' is the only allowed URL scheme; desired format: https://host[/path]",
        "'clientConfig':{}| clientConfig: Required value: exactly one of url or service is required",
        "'sideEffects':null| sideEffects: Required value: must specify one of None, NoneOnDryRun",
        "'sideEffects':'Some'| sideEffects: Unsupported value: \"Some\": supported values: \"None\", \"NoneOnDryRun\"",
        "'timeoutSeconds':31| timeoutSeconds: Invalid value: 31: the timeout value must be between 1 and 30 seconds",
        "'admissionReviewVersions':[]| admissionReviewVersions: Required value: must specify one of v1, v1beta1",
        "'failurePolicy':'Maybe'| failurePolicy: Unsupported value: \"Maybe\": supported values: \"Fail\", \"Ignore\"",
      })
  void refusesInTheWordsOfKubernetes(String field, String error) {
    assertThat(errors(field)).extracting(FieldError::toString).contains("webhooks[0]." + error);
  }

  @Test
  void acceptsAProperWebhook() {
    assertThat(errors("'failurePolicy':'Fail'")).isEmpty();
  }

  @Test
  void conditionThatDoesNotCompileIsRefused() {
    assertThat(errors("'matchConditions':[{'name':'x','expression':'object.'}]"))
        .extracting(FieldError::field)
        .containsExactly("webhooks[0].matchConditions[0].expression");
  }

  private static List<FieldError> errors(String override) {
    KubeObject proper =
        KubeJson.readObject(
            """
            {"name":"a.b.c","clientConfig":{"url":"https://h/x"},"sideEffects":"None",
             "admissionReviewVersions":["v1"],"rules":[]}\
            """);
    var webhook = Trees.thawMap(proper.tree());
    webhook.putAll(KubeJson.readObject("{" + override.replace('\'', '"') + "}").tree());
    return WebhookConfigurationStrategy.validating()
        .validateCreate(KubeObject.of(java.util.Map.of("webhooks", List.of(webhook))), CONTEXT);
  }

  private static KubeObject configuration(String webhook) {
    return KubeJson.readObject("{\"webhooks\":[" + webhook.replace('\'', '"') + "]}");
  }
}
