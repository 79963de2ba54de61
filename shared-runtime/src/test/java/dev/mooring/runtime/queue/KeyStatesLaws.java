package dev.mooring.runtime.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.runtime.queue.KeyStatesLaws.Step.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every sequence of up to six things that can happen to two keys, one worker each at most. */
class KeyStatesLaws {
  private static final Instant NOW = Instant.EPOCH;
  private static final int LENGTH = 6;

  @ParameterizedTest
  @MethodSource("firstSteps")
  void loseNoEventAndWorkOnOneKeyAtATime(Step first, Step second) {
    int played = playAll(new ArrayList<>(List.of(first, second)));

    assertThat(played).isPositive();
  }

  static Stream<Arguments> firstSteps() {
    return steps().flatMap(first -> steps().map(second -> Arguments.of(first, second)));
  }

  @Test
  void letTenantsTakeTurnsEachInItsOwnOrder() {
    var states = new KeyStates<String>(key -> key.charAt(0));
    for (String key : List.of("a1", "a2", "a3", "b1", "c1", "b2")) {
      states.add(key, NOW);
    }

    List<String> taken =
        Stream.generate(() -> states.take().key()).limit(states.waitingCount()).toList();

    assertThat(taken).containsExactly("a1", "b1", "c1", "a2", "b2", "a3");
    assertThat(states.hasWaiting()).isFalse();
  }

  @Test
  void tellTheAgeOfTheKeyThatHasWaitedLongestOfAnyTenant() {
    var states = new KeyStates<String>(key -> key.charAt(0));
    states.add("a1", NOW);
    states.add("b1", NOW.plusSeconds(1));
    states.add("a2", NOW.plusSeconds(2));

    states.take();

    assertThat(states.oldest(NOW.plusSeconds(3))).hasSeconds(2);
  }

  private static int playAll(List<Step> steps) {
    play(steps);
    if (steps.size() == LENGTH) {
      return 1;
    }
    return steps()
        .mapToInt(next -> {
          steps.add(next);
          int played = playAll(steps);
          steps.removeLast();
          return played;
        })
        .sum();
  }

  private static void play(List<Step> steps) {
    var states = new KeyStates<String>(key -> key);
    var model = new Model(states);
    steps.forEach(model::play);
    model.drain();
    for (String key : Step.KEYS) {
      assertThat(model.pending.contains(key)).as("%s: event of %s lost", steps, key).isFalse();
    }
    assertThat(states.waitingCount() + states.runningCount() + states.delayedCount())
        .as("%s: something is left", steps)
        .isZero();
  }

  private static Stream<Step> steps() {
    return Stream.of(Kind.values())
        .flatMap(kind -> Stream.of(Step.KEYS).map(key -> new Step(kind, key)));
  }

  record Step(Kind kind, String key) {
    static final String[] KEYS = {"a", "b"};

    enum Kind {
      ADD,
      TAKE,
      DONE,
      DONE_FOR_LATER,
      DUE
    }
  }

  /** What must hold: an added key is taken after it was added; a taken key is not taken again. */
  private static final class Model {
    private final KeyStates<String> states;
    private final List<String> pending = new ArrayList<>();
    private final List<String> running = new ArrayList<>();

    Model(KeyStates<String> states) {
      this.states = states;
    }

    void play(Step step) {
      switch (step.kind()) {
        case ADD -> {
          states.add(step.key(), NOW);
          pending.add(step.key());
        }
        case TAKE -> take();
        case DONE -> done(step.key());
        case DONE_FOR_LATER -> {
          if (running.remove(step.key())) {
            if (states.addedMeanwhile(step.key())) {
              states.enqueueAgain(step.key(), NOW);
            } else {
              states.delay(step.key(), () -> {});
            }
          }
        }
        case DUE -> states.due(step.key(), NOW);
      }
      assertThat(states.runningCount()).isEqualTo(running.size());
    }

    void drain() {
      for (String key : Step.KEYS) {
        states.due(key, NOW);
      }
      IntStream.range(0, 10)
          .forEach(_ -> {
            take();
            List.copyOf(running).forEach(this::done);
          });
    }

    private void take() {
      if (states.hasWaiting()) {
        String key = states.take().key();
        assertThat(running).as("taken twice").doesNotContain(key);
        running.add(key);
        pending.removeIf(key::equals);
      }
    }

    private void done(String key) {
      if (running.remove(key)) {
        if (states.addedMeanwhile(key)) {
          states.enqueueAgain(key, NOW);
        } else {
          states.settle(key);
        }
      }
    }
  }
}
