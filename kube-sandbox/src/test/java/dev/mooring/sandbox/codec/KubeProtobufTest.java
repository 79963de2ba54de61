package dev.mooring.sandbox.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.CodedOutputStream;
import dev.mooring.model.json.MalformedJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KubeProtobufTest {
  @Test
  void readsWhatGoWrites() throws IOException {
    byte[] metadata =
        message(out -> {
          out.writeString(1, "a");
          out.writeString(2, "");
          out.writeInt64(7, 0);
          out.writeByteArray(8, new byte[0]);
          out.writeByteArray(11, entry("l", "m"));
          out.writeString(14, "example.com/f");
        });
    byte[] configMap =
        message(out -> {
          out.writeByteArray(1, metadata);
          out.writeByteArray(2, entry("k", "v"));
          out.writeByteArray(2, entry("empty", ""));
          out.writeBool(4, true);
        });

    assertThat(KubeProtobuf.read(envelope("v1", "ConfigMap", configMap)))
        .isEqualTo(
            Map.of(
                "kind",
                "ConfigMap",
                "apiVersion",
                "v1",
                "metadata",
                Map.of(
                    "name", "a",
                    "labels", Map.of("l", "m"),
                    "finalizers", List.of("example.com/f")),
                "data",
                Map.of("k", "v", "empty", ""),
                "immutable",
                true));
  }

  @Test
  void keepsTheEmptyGroupOfARule() throws IOException {
    byte[] rule =
        message(out -> {
          out.writeString(1, "get");
          out.writeString(2, "");
          out.writeString(3, "secrets");
        });

    Map<String, Object> role =
        KubeProtobuf.read(
            envelope(
                "rbac.authorization.k8s.io/v1",
                "ClusterRole",
                message(out -> out.writeByteArray(2, rule))));

    assertThat(role)
        .containsEntry(
            "rules",
            List.of(
                Map.of(
                    "verbs", List.of("get"),
                    "apiGroups", List.of(""),
                    "resources", List.of("secrets"))));
  }

  @Test
  void readsDeleteOptionsOfEveryGroup() throws IOException {
    byte[] options =
        message(out -> {
          out.writeByteArray(2, message(preconditions -> preconditions.writeString(1, "a-uid")));
          out.writeString(4, "Foreground");
          out.writeString(5, "All");
        });

    for (String version : List.of("v1", "rbac.authorization.k8s.io/v1")) {
      assertThat(KubeProtobuf.read(envelope(version, "DeleteOptions", options)))
          .isEqualTo(
              Map.of(
                  "kind",
                  "DeleteOptions",
                  "apiVersion",
                  version,
                  "preconditions",
                  Map.of("uid", "a-uid"),
                  "propagationPolicy",
                  "Foreground",
                  "dryRun",
                  List.of("All")));
    }
  }

  @Test
  void refusesWhatIsNotProtobufOrNotKnown() throws IOException {
    assertThatThrownBy(() -> KubeProtobuf.read("{}".getBytes()))
        .isInstanceOf(MalformedJson.class)
        .hasMessageContaining("does not appear to be a protobuf message");
    byte[] unknown = envelope("apps/v1", "Deployment", new byte[0]);
    assertThatThrownBy(() -> KubeProtobuf.read(unknown))
        .isInstanceOf(MalformedJson.class)
        .hasMessage("no protobuf layout is known for apps/v1, Kind=Deployment");
  }

  @Test
  void writesWhatItReads() {
    for (Map<String, Object> object :
        List.<Map<String, Object>>of(
            Map.of(
                "apiVersion", "v1",
                "kind", "Secret",
                "metadata",
                    Map.of(
                        "name",
                        "a",
                        "creationTimestamp",
                        "2026-01-02T03:04:05Z",
                        "labels",
                        Map.of("x", "y"),
                        "managedFields",
                        List.of(
                            Map.of(
                                "manager",
                                "m",
                                "fieldsV1",
                                Map.of("f:data", Map.of("f:k", Map.of()))))),
                "data", Map.of("k", "AAEC"),
                "type", "Opaque"),
            Map.of(
                "apiVersion", "v1",
                "kind", "ResourceQuota",
                "spec", Map.of("hard", Map.of("count/secrets", "10"))),
            Map.of(
                "apiVersion", "coordination.k8s.io/v1",
                "kind", "Lease",
                "spec",
                    Map.of(
                        "leaseDurationSeconds", 15L, "renewTime", "2026-01-02T03:04:05.000006Z")),
            Map.of(
                "apiVersion", "admissionregistration.k8s.io/v1",
                "kind", "ValidatingWebhookConfiguration",
                "webhooks",
                    List.of(
                        Map.of(
                            "name",
                            "a.b.c",
                            "rules",
                            List.of(
                                Map.of(
                                    "operations", List.of("DELETE"),
                                    "apiGroups", List.of("*"),
                                    "resources", List.of("*/*")))))),
            Map.of(
                "apiVersion", "apiextensions.k8s.io/v1",
                "kind", "CustomResourceDefinition",
                "spec",
                    Map.of(
                        "group",
                        "g.io",
                        "versions",
                        List.of(
                            Map.of(
                                "name",
                                "v1",
                                "schema",
                                Map.of(
                                    "openAPIV3Schema",
                                    Map.of(
                                        "type",
                                        "object",
                                        "properties",
                                        Map.of(
                                            "a",
                                            Map.of(
                                                "type",
                                                "object",
                                                "additionalProperties",
                                                Map.of("type", "string")),
                                            "b",
                                            Map.of(
                                                "type",
                                                "number",
                                                "maximum",
                                                1.5,
                                                "default",
                                                1L,
                                                "enum",
                                                List.of(1L, 2L)),
                                            "c",
                                            Map.of("additionalProperties", true),
                                            "d",
                                            Map.of("x-kubernetes-int-or-string", true)))))))))) {
      assertThat(KubeProtobuf.read(KubeProtobuf.write(object))).isEqualTo(object);
    }
  }

  @Test
  void writesAListAsOneMessageWithItsItems() throws IOException {
    byte[] list =
        KubeProtobuf.writeList(
            "v1",
            "ConfigMapList",
            Map.of("resourceVersion", "7"),
            "v1",
            "ConfigMap",
            List.of(Map.of("metadata", Map.of("name", "a"))));

    byte[] name = message(out -> out.writeString(1, "a"));
    byte[] item = message(out -> out.writeByteArray(1, name));
    byte[] metadata = message(out -> out.writeString(2, "7"));
    byte[] raw =
        message(out -> {
          out.writeByteArray(1, metadata);
          out.writeByteArray(2, item);
        });
    byte[] type = entry("v1", "ConfigMapList");
    byte[] unknown =
        message(out -> {
          out.writeByteArray(1, type);
          out.writeByteArray(2, raw);
        });
    assertThat(list).startsWith('k', '8', 's', 0).endsWith(unknown).hasSize(4 + unknown.length);
  }

  @Test
  void writesAnEventOfAWatch() throws IOException {
    Map<String, Object> object =
        Map.of("apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("name", "a"));

    byte[] event = KubeProtobuf.watchEvent("ADDED", object);

    byte[] raw = message(out -> out.writeByteArray(1, KubeProtobuf.write(object)));
    assertThat(event)
        .isEqualTo(
            message(out -> {
              out.writeString(1, "ADDED");
              out.writeByteArray(2, raw);
            }));
  }

  private interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  private static byte[] message(Fields fields) throws IOException {
    var bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    fields.write(out);
    out.flush();
    return bytes.toByteArray();
  }

  private static byte[] entry(String key, String value) throws IOException {
    return message(out -> {
      out.writeString(1, key);
      out.writeString(2, value);
    });
  }

  private static byte[] envelope(String apiVersion, String kind, byte[] raw) throws IOException {
    var bytes = new ByteArrayOutputStream();
    bytes.write(new byte[] {'k', '8', 's', 0});
    bytes.write(
        message(out -> {
          out.writeByteArray(1, entry(apiVersion, kind));
          out.writeByteArray(2, raw);
          out.writeString(3, "");
          out.writeString(4, "");
        }));
    return bytes.toByteArray();
  }
}
