package dev.mooring.depwebhook;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListEnd;
import dev.mooring.runtime.client.ListQuery;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** What readers were asked for: {@code get <resource>/<name>}, {@code list <resource>}. */
public final class RecordedReads {
  public final List<String> requests = Collections.synchronizedList(new ArrayList<>());

  /** Reads the same, and keeps account of it. */
  public KubeReader of(KubeReader reader) {
    return new KubeReader() {
      @Override
      public Optional<KubeObject> find(ResourceType type, String namespace, String name) {
        requests.add("get " + type.resource() + "/" + name);
        return reader.find(type, namespace, name);
      }

      @Override
      public KubeList list(ResourceType type, ListQuery query) {
        requests.add("list " + type.resource());
        return reader.list(type, query);
      }

      @Override
      public Optional<ListEnd> scan(
          ResourceType type, ListQuery query, FieldMask keep, Predicate<KubeObject> each) {
        requests.add("list " + type.resource());
        return reader.scan(type, query, keep, each);
      }

      @Override
      public KubeObject document(String path) {
        requests.add("get " + path);
        return reader.document(path);
      }
    };
  }
}
