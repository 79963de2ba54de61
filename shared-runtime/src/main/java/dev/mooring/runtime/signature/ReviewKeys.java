package dev.mooring.runtime.signature;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What Secret {@value #SECRET} holds: the keys that sign the URLs of webhook configurations, and
 * whose reviews need no signature. The dependency controller creates it, operators replace keys in
 * it, and the webhook reads it.
 *
 * @param current signs configurations
 * @param old signed configurations before, and is accepted as well
 */
public record ReviewKeys(SigningKey current, Optional<SigningKey> old, Unsigned unsigned) {
  /** In the namespace of the controller's Lease, in the workspace of the APIExport. */
  public static final String SECRET = "dependency-webhook-url-keys";

  private static final String UNSIGNED = "unsigned";
  private static final String ANY = "*";

  /** Whose reviews are accepted without a valid signature. */
  public sealed interface Unsigned {
    /** From any caller, as some webhook configurations are not signed yet. */
    record Accepted() implements Unsigned {}

    /**
     * Only of reviews whose URL names one of these providers.
     *
     * @param except providers whose configuration the controller could not sign; usually none
     */
    record Refused(SortedSet<LogicalCluster> except) implements Unsigned {
      public Refused {
        except = Collections.unmodifiableSortedSet(new TreeSet<>(except));
      }
    }
  }

  /**
   * @throws IllegalArgumentException saying what cannot be read; never quotes a key
   */
  public static ReviewKeys read(KubeObject secret) {
    return new ReviewKeys(
        key(secret, "current")
            .orElseThrow(() -> new IllegalArgumentException("there is no current key")),
        key(secret, "old"),
        unsigned(text(secret, UNSIGNED)));
  }

  /** The Secret's data. */
  public Map<String, Object> data() {
    var data = new LinkedHashMap<String, Object>();
    data.put("current", current.base64());
    old.ifPresent(key -> data.put("old", key.base64()));
    data.put(
        UNSIGNED,
        encoded(
            switch (unsigned) {
              case Unsigned.Accepted() -> ANY;
              case Unsigned.Refused(var except) ->
                  except.stream().map(LogicalCluster::name).collect(Collectors.joining(","));
            }));
    return data;
  }

  /** Whether a URL's segment carries a signature by one of these keys for the provider it names. */
  public boolean signed(ReviewSegment segment) {
    return segment
        .provider()
        .filter(provider ->
            Stream.concat(Stream.of(current), old.stream())
                .filter(key -> key.id().equals(segment.keyId()))
                .anyMatch(key -> key.signed(provider, segment.signature())))
        .isPresent();
  }

  /** Whether a review by this segment is accepted though it is not signed. */
  public boolean excuses(ReviewSegment segment) {
    return switch (unsigned) {
      case Unsigned.Accepted() -> true;
      case Unsigned.Refused(var except) -> segment.provider().filter(except::contains).isPresent();
    };
  }

  private static Optional<SigningKey> key(KubeObject secret, String name) {
    String value = Trees.textOrEmpty(secret.map("data").get(name));
    return value.isEmpty() ? Optional.empty() : Optional.of(SigningKey.read(value));
  }

  private static Unsigned unsigned(String text) {
    if (text.equals(ANY)) {
      return new Unsigned.Accepted();
    }
    var except = new TreeSet<LogicalCluster>();
    Stream.of(text.split(","))
        .flatMap(name -> LogicalCluster.parse(name).stream())
        .forEach(except::add);
    return new Unsigned.Refused(except);
  }

  private static String text(KubeObject secret, String field) {
    try {
      return new String(
          Base64.getDecoder().decode(Trees.textOrEmpty(secret.map("data").get(field))),
          StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(field + " is not Base64", e);
    }
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
