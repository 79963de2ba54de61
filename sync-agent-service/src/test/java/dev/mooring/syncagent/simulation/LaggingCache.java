package dev.mooring.syncagent.simulation;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.simulation.ServerModel.LogEntry;
import dev.mooring.syncagent.simulation.ServerModel.What;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The cache of an informer: some way behind the server's log, until it is told to move on. */
public final class LaggingCache {
  private final ServerModel server;
  private final ResourceType type;
  private final Predicate<KubeObject> selected;
  private final TreeMap<ObjectKey, KubeObject> objects = new TreeMap<>();
  private int read;
  private boolean listed;

  /** A change as listeners are told of it; {@code before} is null for a new object. */
  public record Seen(ObjectKey key, KubeObject before, KubeObject after, What what) {}

  public LaggingCache(ServerModel server, ResourceType type, Predicate<KubeObject> selected) {
    this.server = server;
    this.type = type;
    this.selected = selected;
  }

  public Map<ObjectKey, KubeObject> all() {
    return objects;
  }

  /** Whether it has seen everything once; what it does not show may be there before. */
  public boolean isListed() {
    return listed;
  }

  public boolean isBehind() {
    return read < server.log().size();
  }

  /** Reads the log up to and with the next change that concerns it; at most one is seen. */
  public List<Seen> advance() {
    while (isBehind()) {
      LogEntry entry = server.log().get(read++);
      if (entry.type().qualified().equals(type.qualified())) {
        List<Seen> seen = apply(entry);
        if (!seen.isEmpty()) {
          return seen;
        }
      }
    }
    return List.of();
  }

  /** As after a broken watch: everything anew, as the server has it, without what came between. */
  public List<Seen> relist() {
    var seen = new ArrayList<Seen>();
    listed = true;
    read = server.log().size();
    Map<ObjectKey, KubeObject> present = server.all(type);
    for (ObjectKey key : List.copyOf(objects.keySet())) {
      if (!present.containsKey(key) || !selected.test(present.get(key))) {
        KubeObject last = objects.remove(key);
        seen.add(new Seen(key, last, last, What.REMOVED));
      }
    }
    present.forEach((key, object) -> {
      if (selected.test(object)) {
        KubeObject before = objects.put(key, object);
        if (before == null || !before.resourceVersion().equals(object.resourceVersion())) {
          seen.add(new Seen(key, before, object, What.STORED));
        }
      }
    });
    return seen;
  }

  private List<Seen> apply(LogEntry entry) {
    boolean there = entry.what() == What.STORED && selected.test(entry.object());
    if (there) {
      KubeObject before = objects.put(entry.key(), entry.object());
      return List.of(new Seen(entry.key(), before, entry.object(), What.STORED));
    }
    KubeObject before = objects.remove(entry.key());
    return before == null
        ? List.of()
        : List.of(new Seen(entry.key(), before, entry.object(), What.REMOVED));
  }
}
