package dev.mooring.depwebhook.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.http.HeldAnswers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class JoinedScansTest {
  private static final ResourceType PARCELS = new ResourceType("example.io", "v1", "parcels");
  private static final ListQuery PAGES = ListQuery.ALL.withLimit(2);

  private final HeldLists server = new HeldLists();
  private final JoinedScans scans = new JoinedScans();

  @Test
  void showsEveryPageToWhoeverAsks() throws Exception {
    var seeker = new Seeker(Integer.MAX_VALUE);
    FutureTask<Search> asked = ask(seeker);

    server.request(0).complete(page("next", "a", "b"));
    server.request(1).complete(page("", "c"));

    assertThat(asked.get()).isEqualTo(Search.COMPLETE);
    assertThat(seeker.seen).containsExactly("a", "b", "c");
    assertThat(server.queries).containsExactly(PAGES, PAGES.after("next"));
  }

  @Test
  void sharesOneListAmongAllWhoAskedBeforeItBegan() throws Exception {
    var first = new Seeker(Integer.MAX_VALUE);
    FutureTask<Search> alone = ask(first);
    server.request(0);
    List<Seeker> later = new ArrayList<>();
    List<FutureTask<Search>> together = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      later.add(new Seeker(Integer.MAX_VALUE));
      together.add(askAndWait(later.getLast()));
    }

    server.request(0).complete(page("", "old"));
    server.request(1).complete(page("next", "new"));
    server.request(2).complete(page("", "newer"));

    assertThat(alone.get()).isEqualTo(Search.COMPLETE);
    for (FutureTask<Search> each : together) {
      assertThat(each.get()).isEqualTo(Search.COMPLETE);
    }
    assertThat(later).allSatisfy(each -> assertThat(each.seen).containsExactly("new", "newer"));
    assertThat(server.queries).hasSize(3);
  }

  @Test
  void evaluatesAnObjectOnceForAllCallersWithTheSameKey() throws Exception {
    ask(new Seeker(1));
    server.request(0);
    List<String> evaluated = Collections.synchronizedList(new ArrayList<>());
    List<FutureTask<Search>> together = new ArrayList<>();
    List<Evaluating> seekers = new ArrayList<>();
    for (String rule : List.of("a rule", "another rule", "a rule", "a rule", "another rule")) {
      seekers.add(new Evaluating(rule, evaluated));
      together.add(askAndWait(seekers.getLast()));
    }
    server.request(0).complete(page(""));
    server.request(1).complete(page("next", "x", "y"));
    server.request(2).complete(page("", "z"));

    for (FutureTask<Search> each : together) {
      assertThat(each.get()).isEqualTo(Search.COMPLETE);
    }
    assertThat(evaluated)
        .containsExactly(
            "a rule of x",
            "another rule of x",
            "a rule of y",
            "another rule of y",
            "a rule of z",
            "another rule of z");
    assertThat(seekers)
        .allSatisfy(seeker ->
            assertThat(seeker.results)
                .containsExactly(
                    seeker.rule + " of x", seeker.rule + " of y", seeker.rule + " of z"));
  }

  @Test
  void showsNoListThatBeganBeforeTheCall() throws Exception {
    var first = new Seeker(Integer.MAX_VALUE);
    FutureTask<Search> alone = ask(first);
    server.request(0).complete(page("next", "old"));
    server.request(1);
    var late = new Seeker(Integer.MAX_VALUE);
    FutureTask<Search> waiting = askAndWait(late);

    server.request(1).complete(page("", "older"));
    assertThat(alone.get()).isEqualTo(Search.COMPLETE);
    assertThat(late.seen).isEmpty();
    server.request(2).complete(page("", "new"));

    assertThat(waiting.get()).isEqualTo(Search.COMPLETE);
    assertThat(late.seen).containsExactly("new");
    assertThat(server.queries.get(2)).isEqualTo(PAGES);
  }

  @Test
  void readsOnOnlyForThoseWhoHaveNotEnough() throws Exception {
    ask(new Seeker(Integer.MAX_VALUE));
    server.request(0);
    var content = new Seeker(1);
    var greedy = new Seeker(3);
    FutureTask<Search> soon = askAndWait(content);
    FutureTask<Search> later = askAndWait(greedy);
    server.request(0).complete(page(""));

    server.request(1).complete(page("2", "a", "b"));
    assertThat(soon.get()).isEqualTo(Search.STOPPED_EARLY);
    server.request(2).complete(page("3", "c", "d"));

    assertThat(later.get()).isEqualTo(Search.STOPPED_EARLY);
    assertThat(content.seen).containsExactly("a", "b");
    assertThat(greedy.seen).containsExactly("a", "b", "c", "d");
    assertThat(server.queries).hasSize(3);
  }

  @Test
  void readsNoFurtherInAPageThanItsCallersNeed() throws Exception {
    ask(new Seeker(Integer.MAX_VALUE));
    server.request(0);
    var content = new Seeker(1);
    var greedy = new Seeker(JoinedScans.OBJECTS_BETWEEN + 1);
    FutureTask<Search> soon = askAndWait(content);
    FutureTask<Search> later = askAndWait(greedy);
    server.request(0).complete(page(""));

    server.request(1).complete(page("", names(5 * JoinedScans.OBJECTS_BETWEEN)));

    assertThat(soon.get()).isEqualTo(Search.STOPPED_EARLY);
    assertThat(later.get()).isEqualTo(Search.STOPPED_EARLY);
    assertThat(content.seen).hasSize(JoinedScans.OBJECTS_BETWEEN);
    assertThat(greedy.seen).hasSize(2 * JoinedScans.OBJECTS_BETWEEN);
  }

  @Test
  void goesOnWhereTheServerGivesAListInPartsUnasked() throws Exception {
    var seeker = new Seeker(Integer.MAX_VALUE);
    FutureTask<Search> asked = start("cluster", ListQuery.ALL, FieldMask.ALL, seeker);

    server.request(0).complete(page("next", "a"));
    server.request(1).complete(page("", "b"));

    assertThat(asked.get()).isEqualTo(Search.COMPLETE);
    assertThat(seeker.seen).containsExactly("a", "b");
  }

  @Test
  void remembersNothing() throws Exception {
    FutureTask<Search> first = ask(new Seeker(Integer.MAX_VALUE));
    server.request(0).complete(page("", "old"));
    first.get();
    var second = new Seeker(Integer.MAX_VALUE);
    FutureTask<Search> again = ask(second);

    server.request(1).complete(page("", "new"));

    assertThat(again.get()).isEqualTo(Search.COMPLETE);
    assertThat(second.seen).containsExactly("new");
  }

  @Test
  void readsListsOfOtherClustersNamespacesAndFieldsBeside() {
    ask(new Seeker(1));
    server.request(0);
    start("other", PAGES, FieldMask.ALL, new Seeker(1));
    server.request(1);
    start("cluster", PAGES.inNamespace("default"), FieldMask.ALL, new Seeker(1));
    server.request(2);
    start("cluster", PAGES, FieldMask.of(List.of(List.of("metadata"))), new Seeker(1));

    server.request(3);
  }

  @Test
  void tellsEveryoneWhoSharedItOfAFailureAndTriesAgainForTheNext() throws Exception {
    FutureTask<Search> first = ask(new Seeker(1));
    server.request(0);
    List<FutureTask<Search>> together =
        List.of(askAndWait(new Seeker(9)), askAndWait(new Seeker(9)));
    server.request(0).complete(page(""));
    first.get();
    server.request(1).complete(page("next", "a"));
    var failure = new KubeFailure(KubeFailure.Kind.GONE, 410, "", "410 expired", null, null);

    server.request(2).completeExceptionally(failure);

    for (FutureTask<Search> each : together) {
      assertThatThrownBy(each::get)
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isSameAs(failure);
    }
    FutureTask<Search> next = ask(new Seeker(1));
    server.request(3).complete(page(""));
    assertThat(next.get()).isEqualTo(Search.COMPLETE);
  }

  @Test
  void keepsOneSeekersFailureFromTheOthers() throws Exception {
    ask(new Seeker(1));
    server.request(0);
    var failure = new IllegalStateException("cannot tell");
    FutureTask<Search> failing =
        askAndWait(
            new Seeker(9) {
              @Override
              public void see(ListedObject object) {
                throw failure;
              }
            });
    var sound = new Seeker(9);
    FutureTask<Search> other = askAndWait(sound);
    server.request(0).complete(page(""));

    server.request(1).complete(page("", "a"));

    assertThatThrownBy(failing::get).cause().isSameAs(failure);
    assertThat(other.get()).isEqualTo(Search.COMPLETE);
    assertThat(sound.seen).containsExactly("a");
  }

  @Test
  void readsNoFurtherForWhoHasGone() throws Exception {
    var impatient = new FutureTask<>(() -> scan(new Seeker(Integer.MAX_VALUE)));
    Thread thread = Thread.ofPlatform().daemon().start(impatient);
    server.request(0);
    awaitWaiting(thread);

    thread.interrupt();
    assertThatThrownBy(impatient::get)
        .cause()
        .isInstanceOf(KubeFailure.class)
        .hasMessageContaining("no answer");
    server.request(0).complete(page("next", "a"));

    var seeker = new Seeker(Integer.MAX_VALUE);
    FutureTask<Search> next = ask(seeker);
    server.request(1).complete(page("", "b"));
    assertThat(next.get()).isEqualTo(Search.COMPLETE);
    assertThat(server.queries).containsExactly(PAGES, PAGES);
  }

  private Search scan(Seeker seeker) {
    return scans.scan("cluster", server, PARCELS, PAGES, FieldMask.ALL, seeker, Deadline.none());
  }

  private FutureTask<Search> ask(Seeker seeker) {
    return start("cluster", PAGES, FieldMask.ALL, seeker);
  }

  private FutureTask<Search> start(String cluster, ListQuery query, FieldMask keep, Seeker seeker) {
    var task =
        new FutureTask<>(
            () -> scans.scan(cluster, server, PARCELS, query, keep, seeker, Deadline.none()));
    Thread.ofPlatform().daemon().start(task);
    return task;
  }

  /** Returns once the caller waits for an answer. */
  private FutureTask<Search> askAndWait(Seeker seeker) {
    var task = new FutureTask<>(() -> scan(seeker));
    awaitWaiting(Thread.ofPlatform().daemon().start(task));
    return task;
  }

  private static void awaitWaiting(Thread thread) {
    await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
  }

  private static String[] names(int count) {
    return IntStream.range(0, count).mapToObj("object-%d"::formatted).toArray(String[]::new);
  }

  private static KubeList page(String next, String... names) {
    return new KubeList(
        List.of(names).stream()
            .map(name -> KubeObject.of(Map.of("metadata", Map.of("name", name))))
            .toList(),
        "1",
        next);
  }

  /** Has enough once it has seen so many. */
  private static class Seeker implements JoinedScans.Seeker {
    private final int wanted;
    final List<String> seen = Collections.synchronizedList(new ArrayList<>());

    Seeker(int wanted) {
      this.wanted = wanted;
    }

    @Override
    public void see(ListedObject listed) {
      seen.add(listed.object().name());
    }

    @Override
    public boolean hasEnough() {
      return seen.size() >= wanted;
    }
  }

  /** Evaluates each object by a rule, and records which evaluations were computed. */
  private static final class Evaluating extends Seeker {
    private final String rule;
    private final List<String> evaluated;
    final List<String> results = Collections.synchronizedList(new ArrayList<>());

    Evaluating(String rule, List<String> evaluated) {
      super(Integer.MAX_VALUE);
      this.rule = rule;
      this.evaluated = evaluated;
    }

    @Override
    public void see(ListedObject listed) {
      results.add(
          listed.once(
              rule,
              () -> {
                String result = rule + " of " + listed.object().name();
                evaluated.add(result);
                return result;
              }));
    }
  }

  /** Holds back every page until the test gives it. */
  private static final class HeldLists implements KubeReader {
    private final List<ListQuery> queries = new CopyOnWriteArrayList<>();
    private final HeldAnswers<KubeList> answers = new HeldAnswers<>();

    @Override
    public KubeList list(ResourceType type, ListQuery query) {
      queries.add(query);
      return answers.ask();
    }

    /** As {@link HeldAnswers#request}. */
    CompletableFuture<KubeList> request(int number) {
      return answers.request(number);
    }

    @Override
    public Optional<KubeObject> find(ResourceType type, String namespace, String name) {
      throw new AssertionError("no object was asked for");
    }

    @Override
    public KubeObject document(String path) {
      throw new AssertionError("no document was asked for");
    }
  }
}
