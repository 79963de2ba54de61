package dev.mooring.console;

import java.util.List;
import java.util.Optional;

/** A part of a page. */
public sealed interface Section {
  /** Of level two. */
  String heading();

  /** Sentences. */
  record Statements(String heading, List<Statement> statements) implements Section {}

  /** Names and values, in this order. */
  record Facts(String heading, List<Fact> facts) implements Section {}

  /** One name and its value. */
  record Fact(String name, Cell value) {}

  /**
   * A form that is sent to a page.
   *
   * @param action path of a {@link View}
   */
  record Search(String heading, String action, List<Field> fields) implements Section {}

  /**
   * A field of a form.
   *
   * @param hint an example, or what may be left out
   * @param choices the values that there are, in addition to the empty one; empty for any text
   */
  record Field(String name, String label, String hint, String value, List<String> choices) {
    public static Field text(String name, String label, String hint, String value) {
      return new Field(name, label, hint, value, List.of());
    }

    public static Field choice(String name, String label, List<String> choices, String value) {
      return new Field(name, label, "", value, choices);
    }
  }

  /**
   * Rows of one page.
   *
   * @param rows the first cell of each is its heading
   * @param note a sentence about all rows, such as how many there are
   */
  record Table(
      String heading, String note, List<String> columns, List<List<Cell>> rows, Pages pages)
      implements Section {}

  /**
   * A drawing; a table on the same page says the same.
   *
   * @param description how to read it
   */
  record Diagram(
      String heading,
      String description,
      int width,
      int height,
      List<Box> boxes,
      List<Arrow> arrows)
      implements Section {}

  /**
   * A box with two lines.
   *
   * @param name in full
   */
  record Box(
      int x, int y, int width, int height, String first, String second, String name, String link) {}

  /**
   * @param path as SVG has it
   * @param style a class of the style sheet
   */
  record Arrow(String path, String style, String name) {}

  /** Links to the pages before and after; empty where there is none. */
  record Pages(Optional<String> previous, Optional<String> next) {
    public static final Pages ONE = new Pages(Optional.empty(), Optional.empty());
  }
}
