package dev.mooring.syncagent.published;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/** What is wrong with the parts of an object, which are read on after the first mistake. */
public final class Problems {
  private final List<InvalidPublishedResource> found = new ArrayList<>();

  /** The part, or a stand-in for one that is not valid, for which {@link #checked} throws. */
  public <T> T read(T otherwise, Supplier<T> part) {
    try {
      return part.get();
    } catch (InvalidPublishedResource e) {
      found.addAll(e.problems());
      return otherwise;
    }
  }

  /** As {@link #read}, where nothing comes of the part. */
  public void check(Runnable part) {
    read(
        Optional.empty(),
        () -> {
          part.run();
          return Optional.empty();
        });
  }

  /**
   * The valid items of a list.
   *
   * @param part reads an item and its field, such as {@code spec.related[0]}
   */
  public <T> List<T> readEach(
      List<Object> items, String field, BiFunction<Object, String, T> part) {
    var read = new ArrayList<T>();
    for (int i = 0; i < items.size(); i++) {
      Object item = items.get(i);
      String at = field + "[" + i + "]";
      read(Optional.<T>empty(), () -> Optional.of(part.apply(item, at))).ifPresent(read::add);
    }
    return read;
  }

  /** What was read; throws {@link InvalidPublishedResource} with all problems, if there are any. */
  public <T> T checked(T whole) {
    if (!found.isEmpty()) {
      throw InvalidPublishedResource.of(found);
    }
    return whole;
  }
}
