package dev.mooring.console;

import java.util.List;
import java.util.Optional;

/**
 * One page of a long list.
 *
 * @param items of this page
 * @param total of all pages
 */
public record Paging<T>(List<T> items, int total, int page, int size) {
  /** Rows that a browser shows without delay, and a person can look through. */
  public static final int SIZE = 50;

  /** The page that the query asks for; the last one if there are fewer. */
  public static <T> Paging<T> of(List<T> all, Query query) {
    int last = Math.max(1, (all.size() + SIZE - 1) / SIZE);
    int page = Math.min(query.page(), last);
    int from = (page - 1) * SIZE;
    return new Paging<>(
        List.copyOf(all.subList(from, Math.min(from + SIZE, all.size()))), all.size(), page, SIZE);
  }

  /**
   * @param things such as {@code Rules}
   */
  public String note(String things) {
    if (total <= size) {
      return "%s: %d".formatted(things, total);
    }
    int from = (page - 1) * size;
    return "%s: %d to %d of %d".formatted(things, from + 1, from + items.size(), total);
  }

  /**
   * @param path of the {@link View}
   */
  public Section.Pages links(String path, Query query) {
    return new Section.Pages(
        page > 1 ? Optional.of(Link.to(path, query.atPage(page - 1))) : Optional.empty(),
        page * size < total
            ? Optional.of(Link.to(path, query.atPage(page + 1)))
            : Optional.empty());
  }
}
