package dev.mooring.sandbox.builtin.typed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.UnreadableObject;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.registry.WriteContext.Effect;
import dev.mooring.sandbox.api.registry.WriteContext.FieldValidation;
import dev.mooring.sandbox.security.user.UserInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TypedDecoderTest {
  private static final GoTypes TYPES = GoTypes.load();

  private static WriteContext context(FieldValidation validation) {
    return new WriteContext(
        UserInfo.SYSTEM, LogicalCluster.NONE, "", Effect.STORE, validation, "test");
  }

  private static KubeObject decoded(String kind, String fields, WriteContext context) {
    KubeObject body =
        KubeJson.readObject(
            ("{'kind':'" + kind + "','apiVersion':'v1'," + fields + "}").replace('\'', '"'));
    return TypedDecoder.decode(body, TYPES.schema(kind), context);
  }

  private static String text(String kind, String fields) {
    KubeObject object = decoded(kind, fields, context(FieldValidation.IGNORE));
    return KubeJson.writeText(
            object.without("kind").without("apiVersion").without("metadata").tree())
        .replace('"', '\'');
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "ConfigMap | 'data':{'k':'v'},'immutable':false | {'immutable':false,'data':{'k':'v'}}",
        "ConfigMap | 'data':null | {}",
        "ConfigMap | 'data':{} | {}",
        "Lease | 'metadata':{} | {'spec':{}}",
        "Lease | 'spec':{'leaseTransitions':0} | {'spec':{'leaseTransitions':0}}",
        "Lease | 'spec':{'holderIdentity':''} | {'spec':{'holderIdentity':''}}",
        "ClusterRole | 'metadata':{} | {'rules':null}",
        "ClusterRole | 'rules':[] | {'rules':null}",
        "Secret | 'data':{'k':'aGk='} | {'data':{'k':'aGk='}}",
      })
  void writesWhatGoWrites(String kind, String fields, String result) {
    assertThat(text(kind, fields)).isEqualTo(result);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "ConfigMap | 'data':{'n':5} | data.n must be of type string",
        "Lease | 'spec':{'leaseDurationSeconds':'x'} | spec.leaseDurationSeconds must be of"
            + " type int32",
        "Lease | 'spec':{'renewTime':'2026-01-02T03:04:05.5Z'} | spec.renewTime must be of type microtime",
        "Secret | 'data':{'k':'%'} | data.k must be of type bytes",
        "ConfigMap | 'metadata':{'labels':{'a':1}} | metadata.labels.a must be of type string",
        "ConfigMap | 'data':['a'] | data must be an object",
      })
  void refusesWhatGoCannotRead(String kind, String fields, String complaint) {
    assertThatExceptionOfType(UnreadableObject.class)
        .isThrownBy(() -> text(kind, fields))
        .withMessageContaining(
            kind + " in version \"v1\" cannot be handled as a " + kind + ": " + complaint);
  }

  @Test
  void warnsOfUnknownFieldsAndDropsThem() {
    WriteContext context = context(FieldValidation.WARN);

    KubeObject object = decoded("Lease", "'nope':1,'spec':{'typo':2}", context);

    assertThat(object.at("nope")).isNull();
    assertThat(context.warnings())
        .containsExactly("unknown field \"nope\"", "unknown field \"spec.typo\"");
  }

  @Test
  void refusesUnknownFieldsWhereAskedTo() {
    assertThatExceptionOfType(UnreadableObject.class)
        .isThrownBy(() -> decoded("ConfigMap", "'nope':1", context(FieldValidation.STRICT)))
        .withMessageContaining("strict decoding error: unknown field \"nope\"");
  }
}
