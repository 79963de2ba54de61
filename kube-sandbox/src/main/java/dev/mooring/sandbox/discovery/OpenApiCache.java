package dev.mooring.sandbox.discovery;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.hash.Hashing;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * The OpenAPI documents that clients asked for last. Logical clusters that serve the same resources
 * share them. Thread-safe.
 */
final class OpenApiCache {
  private static final long BYTES_MAX = 16L << 20;

  private final Cache<Key, Document> documents =
      CacheBuilder.newBuilder()
          .<Key, Document>weigher((_, document) -> document.body().length)
          .maximumWeight(BYTES_MAX)
          // One part: several would have a part of the weight each, too little for large documents.
          .concurrencyLevel(1)
          .softValues()
          .build();

  /**
   * @param hash of the body: two documents that differ never have the same
   */
  record Document(byte[] body, String hash) {
    static Document of(byte[] body) {
      return new Document(
          body, Hashing.sha512().hashBytes(body).toString().toUpperCase(Locale.ROOT));
    }
  }

  /** Documents are the same if the very same definitions are in them: equal ones are expensive. */
  private record Key(String form, List<ResourceDefinition> definitions) {
    @Override
    public boolean equals(Object other) {
      if (!(other instanceof Key(String otherForm, List<ResourceDefinition> others))
          || !form.equals(otherForm)
          || definitions.size() != others.size()) {
        return false;
      }
      for (int i = 0; i < definitions.size(); i++) {
        if (definitions.get(i) != others.get(i)) {
          return false;
        }
      }
      return true;
    }

    @Override
    public int hashCode() {
      int hash = form.hashCode();
      for (ResourceDefinition definition : definitions) {
        hash = 31 * hash + System.identityHashCode(definition);
      }
      return hash;
    }
  }

  /**
   * @param form which document of the definitions
   * @param made what it is, if it is not known
   */
  Document of(String form, List<ResourceDefinition> definitions, Supplier<byte[]> made) {
    var key = new Key(form, List.copyOf(definitions));
    Document known = documents.getIfPresent(key);
    if (known == null) {
      known = Document.of(made.get());
      documents.put(key, known);
    }
    return known;
  }
}
