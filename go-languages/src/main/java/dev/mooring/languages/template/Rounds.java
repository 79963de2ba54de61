package dev.mooring.languages.template;

import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.template.value.Missing;
import dev.mooring.languages.template.value.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What {@code range} goes through.
 *
 * @param cost of making it, in steps of the budget
 */
record Rounds(List<Object> keys, List<Object> items, long cost) {
  /**
   * Throws {@link TemplateFailure} for what cannot be gone through.
   *
   * @param variables that the range binds
   * @param most steps that may be spent
   */
  static Rounds of(Object value, int variables, long most) {
    return switch (value) {
      case null -> new Rounds(List.of(), List.of(), 0);
      case Missing _ -> new Rounds(List.of(), List.of(), 0);
      case List<?> list -> new Rounds(numbers(list.size()), new ArrayList<>(list), 0);
      case Map<?, ?> map -> {
        var sorted = new TreeMap<Object, Object>(map);
        yield new Rounds(new ArrayList<>(sorted.keySet()), new ArrayList<>(sorted.values()), 0);
      }
      case Long count -> {
        if (variables > 1) {
          throw new TemplateFailure("range over a number has one variable");
        }
        long rounds = Math.max(0, count);
        List<Object> numbers = numbers(Math.min(rounds, most));
        yield new Rounds(numbers, numbers, rounds);
      }
      default -> throw new TemplateFailure("range can't iterate over " + Values.type(value));
    };
  }

  private static List<Object> numbers(long count) {
    var numbers = new ArrayList<Object>();
    for (long i = 0; i < count; i++) {
      numbers.add(i);
    }
    return numbers;
  }
}
