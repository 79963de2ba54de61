package dev.mooring.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.object.KubeObject;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient.Version;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Clients with watches that leave, read too slowly, or are many. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WatchClientsIT {
  private static final Duration WITHIN = Duration.ofSeconds(60);
  private static final String MAPS = "/clusters/root/api/v1/namespaces/default/configmaps";
  private static final Pattern WATCHES =
      Pattern.compile("apiserver_longrunning_requests\\{verb=\"WATCH\"} (\\d+)");

  private static final int CLIENTS = 500;
  private static final int WATCHES_EACH = 4;

  /** More than a reader may be behind, in objects of a megabyte. */
  private static final int BACKLOG_MEGABYTES = 90;

  private KcpSandbox sandbox;
  private SandboxClient client;

  @BeforeAll
  void start(@TempDir Path root) {
    sandbox = KcpSandbox.start(ServerOptions.in(root));
    client = SandboxClient.of(sandbox, "kcp-admin");
  }

  @AfterAll
  void stop() {
    sandbox.close();
  }

  @BeforeEach
  void alone() {
    awaitWatches(0);
  }

  private void awaitWatches(int expected) {
    await().atMost(WITHIN).untilAsserted(() -> assertThat(watches()).isEqualTo(expected));
  }

  private int watches() {
    Matcher found = WATCHES.matcher(client.text("/metrics"));
    assertThat(found.find()).isTrue();
    return Integer.parseInt(found.group(1));
  }

  private String watchFromNow() {
    String version = client.get(MAPS).body().text("metadata", "resourceVersion");
    return MAPS + "?watch=true&resourceVersion=" + version;
  }

  private void create(String name, String value) {
    assertThat(
            client
                .post(MAPS, Map.of("metadata", Map.of("name", name), "data", Map.of("a", value)))
                .status())
        .isEqualTo(201);
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void freesTheWatchesOfAClientThatLeaves(Version version) {
    String path = watchFromNow();
    SandboxClient leaving = client.over(version);
    List<Stream<KubeObject>> streams =
        Stream.generate(() -> leaving.watch(path)).limit(10).toList();
    awaitWatches(10);

    leaving.leave();

    awaitWatches(0);
    assertThat(streams).hasSize(10);
  }

  @Test
  void freesOneWatchOfManyOnAConnectionOfHttp2() {
    String path = watchFromNow();
    SandboxClient own = client.over(Version.HTTP_2);
    try (Stream<KubeObject> stays = own.watch(path)) {
      Stream<KubeObject> ends = own.watch(path);
      awaitWatches(2);

      ends.close();

      awaitWatches(1);
      create("after-the-other-ended", "");
      assertThat(SandboxClient.brief(stays.iterator(), 1))
          .containsExactly("ADDED after-the-other-ended");
    }
    own.leave();
  }

  @Tag("full")
  @Test
  void cutsOffAClientThatReadsNothingAndServesTheOthers() throws Exception {
    String path = watchFromNow();
    int count = BACKLOG_MEGABYTES;
    String megabyte = "x".repeat(1 << 20);
    try (SSLSocket slow = client.connection(path, WITHIN);
        Stream<KubeObject> reading = client.watch(path);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      awaitWatches(2);
      Iterator<KubeObject> events = reading.iterator();
      Future<List<String>> all = threads.submit(() -> SandboxClient.brief(events, count));

      for (int i = 0; i < count; i++) {
        create("large-" + i, megabyte);
      }

      assertThat(all.get()).hasSize(count).endsWith("ADDED large-" + (count - 1));
      // The sandbox ends the watch of the slow client, which has read nothing so far.
      awaitWatches(1);
      assertThat(events(slow)).isLessThan(count);
    }
    assertThat(client.delete(MAPS).status()).isEqualTo(200);
  }

  /** How many whole events come until the connection ends or breaks. */
  private static int events(SSLSocket slow) {
    int events = 0;
    try {
      InputStream in = slow.getInputStream();
      byte[] buffer = new byte[1 << 16];
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        String text = new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
        events += (int) text.chars().filter(c -> c == '\n').count();
      }
    } catch (IOException cutOff) {
      return events;
    }
    return events;
  }

  @Tag("full")
  @Test
  void serves2000WatchesOf500Clients() throws Exception {
    String path = watchFromNow();
    var clients = new ArrayList<SandboxClient>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var seen = new ArrayList<Future<List<String>>>();
      for (int i = 0; i < CLIENTS; i++) {
        SandboxClient own = client.over(Version.HTTP_2);
        clients.add(own);
        for (int watch = 0; watch < WATCHES_EACH; watch++) {
          seen.add(threads.submit(() -> SandboxClient.brief(own.watch(path).iterator(), 2)));
        }
      }
      awaitWatches(CLIENTS * WATCHES_EACH);

      create("first-for-all", "");
      create("second-for-all", "");

      for (Future<List<String>> each : seen) {
        assertThat(each.get()).containsExactly("ADDED first-for-all", "ADDED second-for-all");
      }
    } finally {
      clients.forEach(SandboxClient::leave);
    }
    awaitWatches(0);
  }

  /** The kernel asks clients whether they are there: one that has lost its network says nothing. */
  @Test
  @EnabledOnOs(OS.LINUX)
  void hasIdleConnectionsProbed() throws Exception {
    try (SSLSocket connection = client.connection(watchFromNow(), WITHIN)) {
      awaitWatches(1);
      String ours = port(sandbox.url().getPort());
      String theirs = port(connection.getLocalPort());

      await()
          .atMost(WITHIN)
          .untilAsserted(
              () -> assertThat(timers(ours, theirs)).as("timers of the connection").contains("02"));
    }
  }

  private static String port(int port) {
    return ":%04X".formatted(port).toUpperCase(Locale.ROOT);
  }

  /** The kind of timer that a socket has, 02 for keep-alive. */
  private static List<String> timers(String localPort, String remotePort) throws IOException {
    var timers = new ArrayList<String>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      for (String line : Files.readAllLines(Path.of(table))) {
        String[] fields = line.strip().split("\\s+");
        if (fields[1].endsWith(localPort) && fields[2].endsWith(remotePort)) {
          timers.add(fields[5].substring(0, 2));
        }
      }
    }
    return timers;
  }
}
