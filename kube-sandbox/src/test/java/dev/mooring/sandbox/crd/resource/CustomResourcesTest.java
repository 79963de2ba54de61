package dev.mooring.sandbox.crd.resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.Subresource;
import dev.mooring.sandbox.api.registry.UnreadableObject;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.crd.Definitions;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.webhook.WebhookCaller;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CustomResourcesTest {
  private final CustomResources resources = new CustomResources(new WebhookCaller());

  private final KubeObject widget =
      Definitions.object(
          "{apiVersion: wire.example.io/v1, kind: Widget, metadata: {name: w}, spec: {size: 1}}");

  @Test
  void servesWhatADefinitionDefines() {
    ResourceDefinition served = define(Definitions.widgets());

    assertThat(served.type().toString()).isEqualTo("widgets.v1.wire.example.io");
    assertThat(served.kind()).isEqualTo("Widget");
    assertThat(served.namespaced()).isTrue();
    assertThat(served.subresources())
        .containsEntry(
            "scale",
            new Subresource.Scale(".spec.replicas", ".status.replicas", ".status.selector"))
        .containsKey("status");
    assertThat(served.columns().getFirst().cell().apply(widget)).isEqualTo(1L);
  }

  @Test
  void warnsAboutUnknownFieldsOrRefusesThem() {
    ResourceDefinition.Decoder decoder = define(Definitions.widgets()).decoder();
    KubeObject odd = widget.with(1L, "spec", "odd");
    WriteContext lenient = context(WriteContext.FieldValidation.WARN);

    assertThat(decoder.decode(odd, lenient)).isEqualTo(widget);
    assertThat(lenient.warnings()).containsExactly("unknown field \"spec.odd\"");
    assertThatThrownBy(() -> decoder.decode(odd, context(WriteContext.FieldValidation.STRICT)))
        .isInstanceOf(UnreadableObject.class)
        .hasMessage(
            "Widget in version \"v1\" cannot be handled as a Widget: strict decoding error:"
                + " unknown field \"spec.odd\"");
  }

  @Test
  void refusesOtherTypes() {
    ResourceDefinition.Decoder decoder = define(Definitions.widgets()).decoder();
    WriteContext context = context(WriteContext.FieldValidation.WARN);

    assertThatThrownBy(
            () -> decoder.decode(widget.with("wire.example.io/v2", "apiVersion"), context))
        .hasMessage(
            "the API version in the data (wire.example.io/v2) does not match the expected API"
                + " version (wire.example.io/v1)");
    assertThatThrownBy(() -> decoder.decode(widget.with("Gadget", "kind"), context))
        .hasMessage(
            "Gadget.wire.example.io \"w\" is invalid: kind: Invalid value: \"Gadget\": must be"
                + " Widget");
    assertThatThrownBy(() -> decoder.decode(widget.without("kind"), context))
        .hasMessageStartingWith(
            "the object provided is unrecognized (must be of type Widget): Object 'Kind' is"
                + " missing in '{");
  }

  @Test
  void keepsStatusApart() {
    ResourceDefinition served = define(Definitions.widgets());
    WriteContext context = context(WriteContext.FieldValidation.WARN);
    var status = (Subresource.Part) served.subresources().get("status");
    KubeObject running = widget.with("Running", "status", "phase");
    KubeObject resized = running.with(5L, "spec", "size");

    assertThat(served.strategy().prepareForCreate(running, context))
        .isEqualTo(served.strategy().applyDefaults(widget));
    assertThat(served.strategy().prepareForUpdate(resized, widget, context))
        .isEqualTo(widget.with(5L, "spec", "size"));
    assertThat(status.strategy().prepareForUpdate(resized, widget, context)).isEqualTo(running);
  }

  @Test
  void validatesWhatScaleShows() {
    ResourceStrategy strategy = define(Definitions.widgets()).strategy();

    List<FieldError> errors =
        strategy.validateCreate(
            widget.with(List.of(), "spec"), context(WriteContext.FieldValidation.WARN));

    assertThat(errors.stream().map(FieldError::toString))
        .contains(".spec.replicas: Invalid value: 0: must be a whole number");
  }

  @Test
  void makesNothingNewWhileTerminating() {
    ResourceStrategy strategy =
        define(Definitions.widgets().with("2026-11-21T10:00:00Z", "metadata", "deletionTimestamp"))
            .strategy();

    assertThatThrownBy(
            () -> strategy.prepareForCreate(widget, context(WriteContext.FieldValidation.WARN)))
        .hasMessage(
            "widgets.wire.example.io \"w\" is forbidden: create not allowed while custom resource"
                + " definition is terminating");
  }

  @Test
  void keepsOfOtherVersionsWhatTheStoredOneKnows() {
    KubeObject definition =
        Definitions.widgets()
            .with(
                List.of(version("v1alpha1", false, "b"), version("v1", true, "a")),
                "spec",
                "versions");
    List<ResourceDefinition> served = resources.define(definition);
    KubeObject written =
        Definitions.object(
            "{apiVersion: wire.example.io/v1alpha1, kind: Widget, metadata: {name: w}, a: y, b: x}");

    KubeObject stored = served.getFirst().converter().toStorage(written);

    assertThat(stored.apiVersion()).isEqualTo("wire.example.io/v1");
    assertThat(stored.at("a")).isEqualTo("y");
    assertThat(stored.at("b")).isNull();
    assertThat(served.getFirst().converter().toServed(stored))
        .isEqualTo(written.without("a").without("b"));
    assertThat(served.getLast().converter().toServed(stored)).isEqualTo(stored);
  }

  private static Map<String, Object> version(String name, boolean storage, String field) {
    return Map.of(
        "name",
        name,
        "served",
        true,
        "storage",
        storage,
        "schema",
        Map.of(
            "openAPIV3Schema",
            Map.of("type", "object", "properties", Map.of(field, Map.of("type", "string")))));
  }

  private ResourceDefinition define(KubeObject definition) {
    return resources.define(definition).getFirst();
  }

  private static WriteContext context(WriteContext.FieldValidation validation) {
    return new WriteContext(
        UserInfo.SYSTEM,
        new LogicalCluster("abc"),
        "default",
        WriteContext.Effect.STORE,
        validation,
        "test");
  }
}
