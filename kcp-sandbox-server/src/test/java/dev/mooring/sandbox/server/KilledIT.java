package dev.mooring.sandbox.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process with a data directory, killed in the midst of writes. */
@Tag("full")
class KilledIT {
  private static final String CONFIG_MAPS = "/clusters/root/api/v1/namespaces/default/configmaps";
  private static final int ROUNDS = 4;
  private static final int WRITERS = 4;
  private static final int ACKNOWLEDGED_BEFORE_THE_KILL = 300;
  private static final int PARTS = 50;

  @TempDir private Path root;

  /** The number in the last write of each object that was acknowledged. */
  private final Map<String, Integer> acknowledged = new ConcurrentHashMap<>();

  /** The number in the last write of each object that was sent. */
  private final Map<String, Integer> sent = new ConcurrentHashMap<>();

  @Test
  void losesNoAcknowledgedWriteAndHasNoneByHalf() throws Exception {
    int port = freePort();
    long version = 0;
    for (int round = 0; round < ROUNDS; round++) {
      Process program = start(port);
      try {
        var client = new Client(root, port);
        version = hasWhatWasAcknowledged(client, version);
        writeUntilKilled(program, client, round);
      } finally {
        program.destroyForcibly().waitFor();
      }
    }
    Process program = start(port);
    try {
      hasWhatWasAcknowledged(new Client(root, port), version);
    } finally {
      program.destroyForcibly().waitFor();
    }
  }

  private void writeUntilKilled(Process program, Client client, int round) throws Exception {
    var acks = new Semaphore(0);
    try (ExecutorService threads = Executors.newFixedThreadPool(WRITERS)) {
      var writers = new ArrayList<Future<?>>();
      for (int writer = 0; writer < WRITERS; writer++) {
        String prefix = "r" + round + "-w" + writer + "-";
        writers.add(threads.submit(() -> write(client, prefix, acks)));
      }
      acks.acquire(ACKNOWLEDGED_BEFORE_THE_KILL);
      program.destroyForcibly();
      for (Future<?> writer : writers) {
        writer.get();
      }
    }
  }

  /** Creates objects, and changes every other one, until the server is gone. */
  private void write(Client client, String prefix, Semaphore acks) {
    try {
      for (int i = 0; ; i++) {
        String name = prefix + i;
        write(client.send("POST", CONFIG_MAPS, object(name, 0)), name, 0, 201);
        acks.release();
        if (i % 2 == 0) {
          write(client.send("PUT", CONFIG_MAPS + "/" + name, object(name, i)), name, i, 200);
          acks.release();
        }
      }
    } catch (IOException killed) {
      // As intended.
    }
  }

  private void write(Call call, String name, int number, int status) throws IOException {
    sent.put(name, number);
    assertThat(call.answer().statusCode()).isEqualTo(status);
    acknowledged.put(name, number);
  }

  interface Call {
    HttpResponse<byte[]> answer() throws IOException;
  }

  /** Answers the list's version. */
  private long hasWhatWasAcknowledged(Client client, long before) throws IOException {
    KubeObject list = KubeJson.readObject(client.send("GET", CONFIG_MAPS, null).answer().body());
    var found = new HashMap<String, Integer>();
    for (Object item : list.list("items")) {
      KubeObject object = KubeObject.of(Trees.mapOrEmpty(item));
      if (object.name().startsWith("r")) {
        List<Object> parts = List.copyOf(object.map("data").values());
        assertThat(parts).hasSize(PARTS).containsOnly(parts.getFirst());
        found.put(object.name(), Integer.parseInt((String) parts.getFirst()));
      }
    }
    assertThat(found).containsOnlyKeys(sentOrAcknowledged(found));
    acknowledged.forEach(
        (name, number) -> assertThat(found.get(name)).as(name).isIn(number, sent.get(name)));
    acknowledged.putAll(found);
    long version = Long.parseLong(list.text("metadata", "resourceVersion"));
    assertThat(version).isGreaterThanOrEqualTo(before);
    return version;
  }

  /** All that was acknowledged, and of what was only sent what is there. */
  private String[] sentOrAcknowledged(Map<String, Integer> found) {
    var names = new ArrayList<>(acknowledged.keySet());
    found.keySet().stream()
        .filter(sent::containsKey)
        .filter(name -> !acknowledged.containsKey(name))
        .forEach(names::add);
    return names.toArray(String[]::new);
  }

  private static Map<String, Object> object(String name, int number) {
    var data = new HashMap<String, Object>();
    for (int part = 0; part < PARTS; part++) {
      data.put("part-" + part, Integer.toString(number));
    }
    return Map.of(
        "apiVersion", "v1", "kind", "ConfigMap", "metadata", Map.of("name", name), "data", data);
  }

  private Process start(int port) throws IOException {
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                SandboxProgram.class.getName(),
                "start",
                "--root-directory",
                root.resolve("kcp").toString(),
                "--data-dir",
                root.resolve("data").toString(),
                "--secure-port",
                Integer.toString(port))
            .redirectError(root.resolve("log").toFile())
            .start();
    BufferedReader output = program.inputReader();
    assertThat(output.readLine()).as("see %s", root.resolve("log")).startsWith("kcp-sandbox is");
    return program;
  }

  static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  /** The administrator. */
  record Client(HttpClient http, URI server, String token) {
    Client(Path root, int port) throws Exception {
      this(Files.readString(root.resolve("kcp/admin.kubeconfig")), port);
    }

    private Client(String kubeconfig, int port) throws Exception {
      this(
          HttpClient.newBuilder()
              .sslContext(SandboxProgramIT.trusting(kubeconfig))
              .version(HttpClient.Version.HTTP_1_1)
              .build(),
          URI.create("https://127.0.0.1:" + port),
          SandboxProgramIT.token(kubeconfig));
    }

    Call send(String method, String path, @Nullable Object body) {
      HttpRequest request =
          HttpRequest.newBuilder(server.resolve(path))
              .header("Authorization", "Bearer " + token)
              .header("Content-Type", "application/json")
              .method(
                  method,
                  body == null
                      ? BodyPublishers.noBody()
                      : BodyPublishers.ofByteArray(KubeJson.write(body)))
              .build();
      return () -> {
        try {
          return http.send(request, BodyHandlers.ofByteArray());
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      };
    }
  }
}
