package dev.mooring.syncagent.content;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.content.decide.ValueDigests;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * The last-known state as text for an annotation (JSON, or above {@value #PLAIN_MAX} bytes {@code
 * gzip:} and base64) and as bytes for a Secret (always compressed). Above that size it has {@link
 * ValueDigests} in place of long texts.
 */
public final class LastKnownState {
  /** Larger states are compressed: all annotations of an object share 256 KiB. */
  static final int PLAIN_MAX = 64 * 1024;

  /** No state is larger than an object may be; guards against compressed bombs. */
  private static final int DECODED_MAX = 4 * 1024 * 1024;

  private static final String GZIP = "gzip:";

  /** In the data of a Secret that keeps a state. */
  static final String SECRET_KEY = "state";

  private LastKnownState() {}

  public static String text(Map<String, Object> content) {
    byte[] json = json(content);
    return json.length <= PLAIN_MAX
        ? new String(json, StandardCharsets.UTF_8)
        : GZIP + Base64.getEncoder().encodeToString(compressed(json));
  }

  /** Empty if the text is none that {@link #text} wrote: then the state is not known. */
  public static Optional<Map<String, Object>> read(String text) {
    try {
      byte[] json =
          text.startsWith(GZIP)
              ? decompressed(Base64.getDecoder().decode(text.substring(GZIP.length())))
              : text.getBytes(StandardCharsets.UTF_8);
      return KubeJson.read(json) instanceof Map<?, ?> map
          ? Optional.of(Trees.mapOrEmpty(map))
          : Optional.empty();
    } catch (IllegalArgumentException | IOException | MalformedJson e) {
      return Optional.empty();
    }
  }

  static byte[] bytes(Map<String, Object> content) {
    return compressed(json(content));
  }

  private static byte[] json(Map<String, Object> content) {
    byte[] json = KubeJson.write(content);
    return json.length <= PLAIN_MAX ? json : KubeJson.write(ValueDigests.abridged(content));
  }

  /** As {@link #read(String)}, of a state in a Secret, in base64. */
  public static Optional<Map<String, Object>> readFromSecret(KubeObject secret) {
    return read(GZIP + secret.text("data", SECRET_KEY));
  }

  private static byte[] compressed(byte[] json) {
    var bytes = new ByteArrayOutputStream(json.length / 4);
    try (var gzip = new GZIPOutputStream(bytes)) {
      gzip.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] decompressed(byte[] bytes) throws IOException {
    try (var gzip = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return gzip.readNBytes(DECODED_MAX);
    }
  }
}
