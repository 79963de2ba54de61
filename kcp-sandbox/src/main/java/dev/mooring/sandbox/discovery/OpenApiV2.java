package dev.mooring.sandbox.discovery;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** OpenAPI v2: which kinds there are; clients of today read version 3. */
final class OpenApiV2 {
  static final String PROTOBUF_TYPE = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

  private static final String TITLE = "Kubernetes";
  private static final String VERSION = VersionDocument.MAJOR + "." + VersionDocument.MINOR;

  private OpenApiV2() {}

  /** Whether a client wants what only Go programs read: what it accepts first decides. */
  static boolean wantsProtobuf(String accept) {
    String first = accept.split(",", 2)[0].strip();
    return first.equals(PROTOBUF_TYPE)
        || first.equals("application/com.github.proto-openapi.spec.v2@v1.0+protobuf");
  }

  /**
   * A document without paths and definitions. kubectl reads it for a kind that version 3 does not
   * know, to tell whether the server would check fields: here it finds none, and goes on to say
   * that there is no such kind.
   */
  static byte[] protobufDocument() {
    UnknownFieldSet info =
        UnknownFieldSet.newBuilder().addField(1, text(TITLE)).addField(2, text(VERSION)).build();
    return UnknownFieldSet.newBuilder()
        .addField(1, text("2.0"))
        .addField(2, Field.newBuilder().addLengthDelimited(info.toByteString()).build())
        .build()
        .toByteArray();
  }

  private static Field text(String text) {
    return Field.newBuilder().addLengthDelimited(ByteString.copyFromUtf8(text)).build();
  }

  static Map<String, Object> document(List<ResourceDefinition> definitions) {
    var kinds = new LinkedHashMap<String, Object>();
    for (ResourceDefinition definition : definitions) {
      var kind = new LinkedHashMap<String, Object>();
      kind.put("type", "object");
      kind.put("x-kubernetes-group-version-kind", List.of(OpenApiV3.identity(definition, "")));
      kinds.put(OpenApiV3.schemaName(definition), kind);
    }
    var paths = new LinkedHashMap<String, Object>();
    definitions.forEach(definition -> OpenApiPaths.add(definition, paths));
    var document = new LinkedHashMap<String, Object>();
    document.put("swagger", "2.0");
    document.put("info", Map.of("title", TITLE, "version", VERSION));
    document.put("paths", paths);
    document.put("definitions", kinds);
    return document;
  }
}
