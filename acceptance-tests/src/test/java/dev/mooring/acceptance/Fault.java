package dev.mooring.acceptance;

import java.util.List;

/**
 * A row of the table of faults: what {@code mooring why} answers to a consumer, and to a provider.
 *
 * @param asked the arguments of the command
 */
record Fault(String title, List<String> asked, Answer consumer, Answer provider) {
  /**
   * @param who changes the object; {@code none} if nothing is to be corrected
   * @param change the object
   */
  record Answer(String reason, String who, String change) {
    /** Its parts are separated by slashes. */
    static Answer of(String text) {
      String[] parts = text.split(" / ", 3);
      return new Answer(parts[0], parts[1], parts[2]);
    }

    String cell() {
      return "`%s`: %s, %s".formatted(reason, who, change);
    }

    int status() {
      return who.equals("none") ? 0 : 1;
    }
  }

  static Fault of(String title, String asked, String both) {
    return of(title, asked, both, both);
  }

  static Fault of(String title, String asked, String consumer, String provider) {
    return new Fault(title, List.of(asked.split(" ")), Answer.of(consumer), Answer.of(provider));
  }

  @Override
  public String toString() {
    return title;
  }
}
