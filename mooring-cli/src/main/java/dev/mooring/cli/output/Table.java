package dev.mooring.cli.output;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rows in aligned columns, as kubectl prints them. */
public record Table(List<String> columns, List<List<String>> rows) {
  private static final String GAP = "   ";

  public Table {
    columns = List.copyOf(columns);
    rows = rows.stream().map(List::copyOf).toList();
  }

  /** Each row as a line; the last column is not padded. */
  public Stream<String> lines() {
    List<Integer> widths =
        IntStream.range(0, columns.size())
            .mapToObj(column ->
                Stream.concat(Stream.of(columns), rows.stream())
                    .mapToInt(row -> row.get(column).length())
                    .max()
                    .orElse(0))
            .toList();
    return Stream.concat(Stream.of(columns), rows.stream())
        .map(row ->
            IntStream.range(0, row.size())
                .mapToObj(column -> padded(row.get(column), widths.get(column)))
                .collect(Collectors.joining(GAP))
                .stripTrailing());
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(width - text.length());
  }
}
