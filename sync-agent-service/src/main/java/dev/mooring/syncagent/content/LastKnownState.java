package dev.mooring.syncagent.content;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.Trees;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * The last-known state as annotation text: JSON, or above {@value #PLAIN_MAX} characters {@code
 * gzip:} and base64.
 */
public final class LastKnownState {
  /** Larger states are compressed: annotations share 256 KiB. */
  static final int PLAIN_MAX = 64 * 1024;

  /** What an annotation may take of the 256 KiB that an object's annotations have together. */
  static final int ENCODED_MAX = 200 * 1024;

  /** No state is larger than an object may be; guards against compressed bombs. */
  private static final int DECODED_MAX = 4 * 1024 * 1024;

  private static final String GZIP = "gzip:";

  private LastKnownState() {}

  /**
   * Throws {@link StateTooLarge} if even the compressed text is longer than an annotation may be.
   */
  public static String encode(Map<String, Object> content) {
    String json = KubeJson.writeText(content);
    if (json.length() <= PLAIN_MAX) {
      return json;
    }
    String text = GZIP + Base64.getEncoder().encodeToString(compressed(KubeJson.write(content)));
    if (text.length() > ENCODED_MAX) {
      throw new StateTooLarge(text.length());
    }
    return text;
  }

  /** Empty if the text is none that {@link #encode} wrote: then the state is not known. */
  public static Optional<Map<String, Object>> decode(String text) {
    try {
      byte[] json =
          text.startsWith(GZIP)
              ? decompressed(Base64.getDecoder().decode(text.substring(GZIP.length())))
              : text.getBytes(java.nio.charset.StandardCharsets.UTF_8);
      return KubeJson.read(json) instanceof Map<?, ?> map
          ? Optional.of(Trees.mapOrEmpty(map))
          : Optional.empty();
    } catch (MalformedJson | IllegalArgumentException | IOException e) {
      return Optional.empty();
    }
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

  /** A source too large for its state to be kept with the copy. */
  public static final class StateTooLarge extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StateTooLarge(int length) {
      super(
          "the object is too large to be kept in step: its state takes "
              + length
              + " characters, "
              + ENCODED_MAX
              + " are possible");
    }
  }
}
