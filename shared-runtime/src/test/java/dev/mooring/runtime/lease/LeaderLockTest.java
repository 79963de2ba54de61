package dev.mooring.runtime.lease;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.StubServer;
import dev.mooring.runtime.client.StubServer.Asked;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.time.SystemTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** By a client that waits far longer for an answer than a Lease lasts. */
class LeaderLockTest {
  /** Far longer than anything takes; only failing tests wait for it. */
  private static final LeaseTerms TERMS =
      new LeaseTerms(
          "system",
          "agent",
          "me",
          Duration.ofSeconds(6),
          Duration.ofSeconds(3),
          Duration.ofMillis(100));

  private static final String NO_LEASE =
      "{\"kind\":\"Status\",\"code\":404,\"reason\":\"NotFound\",\"details\":{\"name\":\"agent\","
          + "\"group\":\"coordination.k8s.io\",\"kind\":\"leases\"}}";
  private static final Duration MARGIN = TERMS.duration().minus(TERMS.renewDeadline());

  @TempDir private Path directory;
  private final Lease lease = new Lease();
  private final CountDownLatch never = new CountDownLatch(1);
  private final List<String> turns = new CopyOnWriteArrayList<>();
  private final List<Duration> graces = new CopyOnWriteArrayList<>();
  private StubServer server;
  private KubeConnection connection;
  private LeaderLock lock;

  @BeforeEach
  void leads() {
    server = StubServer.start(lease::answer);
    connection = server.connect(directory, "", "{}");
    lock = LeaderLock.start(connection.client(), TERMS, new Recorder(), SystemTime.clock());
    await().until(() -> turns.equals(List.of("leads")));
  }

  @AfterEach
  void ends() {
    never.countDown();
    lock.close();
    connection.close();
    server.close();
  }

  @Test
  void followsWhileItsRequestHangs() {
    server.now(this::keepSilent);

    await().until(() -> turns.equals(List.of("leads", "follows")));
    assertThat(lock.leads()).isFalse();
    assertThat(graces)
        .singleElement()
        .satisfies(grace -> assertThat(grace).isLessThanOrEqualTo(MARGIN.dividedBy(2)));
  }

  @Test
  void givesARequestUpThatHangsAndRenewsByAnotherOne() {
    var asked = new AtomicInteger();
    server.now((request, exchange) -> {
      if (asked.incrementAndGet() == 1) {
        keepSilent(request, exchange);
      } else {
        lease.answer(request, exchange);
      }
    });

    int before = lease.renewals();
    await().until(() -> lease.renewals() > before);
    await().until(lock::leads);
  }

  @Test
  void leavesNoTimeToEndWhatIsUnderWayWhereAnotherOneLeadsAlready() {
    lease.takenBy("them");

    await().until(() -> turns.equals(List.of("leads", "follows")));
    assertThat(graces).containsExactly(Duration.ZERO);
    assertThat(lock.holder()).isEqualTo("them");
  }

  @Test
  void renewsWhileTheListenerTakesItsTime() {
    lock.close();
    var listening = new CountDownLatch(1);
    lock =
        LeaderLock.start(
            connection.client(),
            TERMS,
            new LeaderListener() {
              @Override
              public void leads() {
                listening.countDown();
                waitFor(never);
              }

              @Override
              public void follows(Duration grace) {}
            },
            SystemTime.clock());
    waitFor(listening);

    int before = lease.renewals();

    await().until(() -> lease.renewals() > before + 3);
  }

  @Test
  void saysWhyItCannotSeeWhoLeads() {
    server.now(
        StubServer.replying(
            403,
            "application/json",
            "{\"kind\":\"Status\",\"code\":403,\"message\":\"no right\"}"));

    await().until(() -> lock.lastFailure().isPresent());
    assertThat(lock.lastFailure().orElseThrow()).hasMessageContaining("no right");
    await().until(() -> !lock.isInformed());

    server.now(lease::answer);
    await().until(() -> lock.lastFailure().isEmpty() && lock.isInformed());
  }

  @Test
  void isInformedWhileAnotherOneLeads() {
    lease.takenBy("them");

    await().until(() -> turns.equals(List.of("leads", "follows")));
    assertThat(lock.isInformed()).isTrue();
  }

  @Test
  void isNotInformedBeforeALookSucceeded() {
    lock.close();
    server.now(this::keepSilent);

    lock = LeaderLock.start(connection.client(), TERMS, new Recorder(), SystemTime.clock());

    assertThat(lock.isInformed()).isFalse();
  }

  @Test
  void takesAMissingNamespaceForNoRival() {
    server.now((asked, exchange) ->
        StubServer.reply(
            exchange,
            404,
            "application/json",
            asked.method().equals("GET")
                ? NO_LEASE
                : "{\"kind\":\"Status\",\"code\":404,\"reason\":\"NotFound\",\"message\":\"no"
                    + " namespace\",\"details\":{\"name\":\"system\",\"kind\":\"namespaces\"}}"));

    await().until(() -> lock.lastFailure().isPresent());
    assertThat(lock.lastFailure().orElseThrow()).hasMessageContaining("no namespace");
  }

  @Test
  void releasesItsLeaseAtItsEnd() {
    lock.close();

    assertThat(turns).containsExactly("leads", "follows");
    assertThat(lease.holder()).isEmpty();
  }

  /** Accepts the request and never answers. */
  private void keepSilent(Asked asked, HttpExchange exchange) {
    waitFor(never);
    exchange.close();
  }

  private static void waitFor(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private final class Recorder implements LeaderListener {
    @Override
    public void leads() {
      turns.add("leads");
    }

    @Override
    public void follows(Duration grace) {
      graces.add(grace);
      turns.add("follows");
    }
  }

  /** What a server does with one Lease. */
  private static final class Lease {
    private KubeObject present = KubeJson.readObject("{}");
    private int version;
    private int renewals;

    synchronized void answer(Asked asked, HttpExchange exchange) throws IOException {
      if (asked.method().equals("GET")) {
        if (version == 0) {
          reply(exchange, 404, NO_LEASE);
          return;
        }
      } else {
        KubeObject written = KubeJson.readObject(asked.body());
        if (version > 0 && !written.resourceVersion().equals(Integer.toString(version))) {
          reply(exchange, 409, "{\"kind\":\"Status\",\"code\":409,\"reason\":\"Conflict\"}");
          return;
        }
        write(written);
        renewals++;
      }
      reply(exchange, 200, KubeJson.writeText(present.tree()));
    }

    synchronized void takenBy(String holder) {
      write(present.with(holder, "spec", "holderIdentity"));
    }

    synchronized int renewals() {
      return renewals;
    }

    synchronized String holder() {
      return present.text("spec", "holderIdentity");
    }

    private void write(KubeObject lease) {
      version++;
      present = lease.with(Integer.toString(version), "metadata", "resourceVersion");
    }

    private static void reply(HttpExchange exchange, int code, String body) throws IOException {
      StubServer.reply(exchange, code, "application/json", body);
    }
  }
}
