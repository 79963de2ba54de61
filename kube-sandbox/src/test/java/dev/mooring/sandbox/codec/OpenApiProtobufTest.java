package dev.mooring.sandbox.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UnknownFieldSet;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OpenApiProtobufTest {
  @Test
  void writesSchemasAsGnosticDoes() throws IOException {
    byte[] document =
        OpenApiProtobuf.write(
            Map.of(
                "swagger",
                "2.0",
                "definitions",
                Map.of(
                    "io.example.v1.Widget",
                    Map.of(
                        "type", "object",
                        "properties",
                            Map.of(
                                "list",
                                Map.of(
                                    "type",
                                    "array",
                                    "items",
                                    Map.of("$ref", "#/definitions/io.example.v1.Part"))),
                        "x-kubernetes-group-version-kind", List.of(Map.of("kind", "Widget"))))));

    UnknownFieldSet message = UnknownFieldSet.parseFrom(document);
    assertThat(text(message, 1)).isEqualTo("2.0");
    UnknownFieldSet named = below(below(message, 9), 1);
    assertThat(text(named, 1)).isEqualTo("io.example.v1.Widget");
    UnknownFieldSet schema = below(named, 2);
    assertThat(text(below(schema, 22), 1)).isEqualTo("object");
    UnknownFieldSet list = below(below(schema, 25), 1);
    assertThat(text(list, 1)).isEqualTo("list");
    assertThat(text(below(below(below(list, 2), 23), 1), 1))
        .isEqualTo("#/definitions/io.example.v1.Part");
    UnknownFieldSet extension = below(schema, 31);
    assertThat(text(extension, 1)).isEqualTo("x-kubernetes-group-version-kind");
    assertThat(text(below(extension, 2), 2)).isEqualTo("[{\"kind\":\"Widget\"}]");
  }

  private static UnknownFieldSet below(UnknownFieldSet message, int number) throws IOException {
    return UnknownFieldSet.parseFrom(message.getField(number).getLengthDelimitedList().getFirst());
  }

  private static String text(UnknownFieldSet message, int number) {
    return message.getField(number).getLengthDelimitedList().getFirst().toStringUtf8().strip();
  }
}
