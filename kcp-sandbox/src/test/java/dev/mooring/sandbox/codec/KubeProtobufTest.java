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
