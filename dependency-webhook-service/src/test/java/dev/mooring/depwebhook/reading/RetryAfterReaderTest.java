package dev.mooring.depwebhook.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RetryAfterReaderTest {
  private static final ResourceType PARCELS = new ResourceType("example.io", "v1", "parcels");
  private static final KubeObject PARCEL =
      KubeObject.of(Map.of("metadata", Map.of("name", "a", "namespace", "ns")));

  private final List<Duration> paused = new ArrayList<>();
  private final Server server = new Server();
  private final KubeReader reader = new RetryAfterReader(server, paused::add);

  @Test
  void asksAgainAfterTheTimeThatTheServerNames() {
    server.turnsAway(failure(Kind.UNAVAILABLE, 429, Duration.ofSeconds(1)));
    server.turnsAway(failure(Kind.UNAVAILABLE, 503, Duration.ofSeconds(2)));

    assertThat(reader.find(PARCELS, "ns", "a")).contains(PARCEL);
    assertThat(paused).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2));
  }

  @Test
  void asksAgainWhateverIsRead() {
    KubeFailure later = failure(Kind.UNAVAILABLE, 429, Duration.ofSeconds(1));

    server.turnsAway(later);
    assertThat(reader.list(PARCELS, ListQuery.ALL).items()).containsExactly(PARCEL);
    server.turnsAway(later);
    assertThat(reader.document("apis/example.io/v1")).isEqualTo(PARCEL);
    server.turnsAway(later);
    List<KubeObject> shown = new ArrayList<>();
    assertThat(reader.scan(PARCELS, ListQuery.ALL, FieldMask.ALL, shown::add)).isPresent();
    assertThat(shown).containsExactly(PARCEL);
    assertThat(paused).hasSize(3);
  }

  @Test
  void failsAsTheServerDidLastIfThatGoesOn() {
    for (int i = 0; i < RetryAfterReader.TRIES; i++) {
      server.turnsAway(failure(Kind.UNAVAILABLE, 429, Duration.ofSeconds(1)));
    }

    assertThatThrownBy(() -> reader.find(PARCELS, "ns", "a")).isInstanceOf(KubeFailure.class);
    assertThat(server.asked).isEqualTo(RetryAfterReader.TRIES);
    assertThat(paused).hasSize(RetryAfterReader.TRIES - 1);
  }

  @ParameterizedTest
  @CsvSource({
    "UNAVAILABLE, 503, ", // no word of when
    "UNAVAILABLE, 0, ", // no answer
    "UNAVAILABLE, 429, 60", // too late for anybody who waits
    "FORBIDDEN, 429, 1", // a webhook's refusal
    "NOT_SERVED, 404, 1",
  })
  void doesNotAskAgainOtherwise(Kind kind, int code, Long seconds) {
    server.turnsAway(failure(kind, code, seconds == null ? null : Duration.ofSeconds(seconds)));

    assertThatThrownBy(() -> reader.find(PARCELS, "ns", "a")).isInstanceOf(KubeFailure.class);
    assertThat(server.asked).isOne();
    assertThat(paused).isEmpty();
  }

  @Test
  void asksNoMoreForACallerWhoHasGone() {
    var interrupted = new RetryAfterReader(server, _ -> Thread.currentThread().interrupt());
    server.turnsAway(failure(Kind.UNAVAILABLE, 429, Duration.ofSeconds(1)));

    assertThatThrownBy(() -> interrupted.find(PARCELS, "ns", "a")).isInstanceOf(KubeFailure.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(server.asked).isOne();
  }

  private static KubeFailure failure(Kind kind, int code, Duration retryAfter) {
    return new KubeFailure(kind, code, "", "storage is (re)initializing", retryAfter, null);
  }

  /** Has one parcel, and turns away as often as it was told to. */
  private static final class Server implements KubeReader {
    private final Queue<KubeFailure> failures = new ArrayDeque<>();
    private int asked;

    void turnsAway(KubeFailure failure) {
      failures.add(failure);
    }

    private KubeObject answer() {
      asked++;
      KubeFailure failure = failures.poll();
      if (failure != null) {
        throw failure;
      }
      return PARCEL;
    }

    @Override
    public Optional<KubeObject> find(ResourceType type, String namespace, String name) {
      return Optional.of(answer());
    }

    @Override
    public KubeList list(ResourceType type, ListQuery query) {
      return new KubeList(List.of(answer()), "1", "");
    }

    @Override
    public KubeObject document(String path) {
      return answer();
    }
  }
}
