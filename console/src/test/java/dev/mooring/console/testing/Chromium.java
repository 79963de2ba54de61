package dev.mooring.console.testing;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** One page of a headless Chromium of this machine, driven by the DevTools protocol. */
public final class Chromium implements AutoCloseable {
  private static final int SECONDS = 120;
  private static final Map<String, Integer> KEYS = Map.of("Tab", 9, "Enter", 13);

  private final Process process;
  private final HttpClient http = HttpClient.newHttpClient();
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<KubeObject>> answers = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final WebSocket socket;
  private volatile CompletableFuture<Void> loaded = new CompletableFuture<>();
  private String session = "";

  private Chromium(Process process, URI browser) throws Exception {
    this.process = process;
    this.socket =
        http.newWebSocketBuilder()
            .buildAsync(browser, new Messages())
            .get(SECONDS, TimeUnit.SECONDS);
    String target = send("Target.createTarget", Map.of("url", "about:blank")).text("targetId");
    session =
        send("Target.attachToTarget", Map.of("targetId", target, "flatten", true))
            .text("sessionId");
    for (String domain : List.of("Page", "Network", "Log", "Runtime")) {
      send(domain + ".enable", Map.of());
    }
  }

  /** Empty if none is installed. */
  public static Optional<Path> program() {
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
        .flatMap(directory ->
            Stream.of("chromium", "chromium-browser", "google-chrome")
                .map(name -> Path.of(directory, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * @param directory for its profile
   */
  public static Chromium start(Path program, Path directory) throws Exception {
    Process process =
        new ProcessBuilder(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-sync",
                "--disable-background-networking",
                "--disable-component-update",
                "--hide-scrollbars",
                "--ignore-certificate-errors",
                "--remote-debugging-port=0",
                "--user-data-dir=" + directory,
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      BufferedReader lines = process.errorReader();
      String line = lines.readLine();
      while (line != null && !line.startsWith("DevTools listening on ")) {
        line = lines.readLine();
      }
      if (line == null) {
        throw new IOException(program + " ended before it listened");
      }
      Thread.ofVirtual().start(() -> drain(lines));
      return new Chromium(
          process, URI.create(line.substring("DevTools listening on ".length()).strip()));
    } catch (Exception e) {
      process.destroy();
      throw e;
    }
  }

  private static void drain(BufferedReader lines) {
    try {
      lines.transferTo(Writer.nullWriter());
    } catch (IOException e) {
      // It has ended.
    }
  }

  /** Until the page and what it refers to is loaded. */
  public void open(URI page) throws Exception {
    loaded = new CompletableFuture<>();
    send("Page.navigate", Map.of("url", page.toString()));
    awaitLoad();
  }

  /** Presses a key that leads to another page. */
  public void pressAndLoad(String key) throws Exception {
    loaded = new CompletableFuture<>();
    press(key);
    awaitLoad();
  }

  private void awaitLoad() throws Exception {
    loaded.get(SECONDS, TimeUnit.SECONDS);
  }

  public void press(String key) throws Exception {
    var event = new LinkedHashMap<String, Object>();
    event.put("key", key);
    event.put("code", key);
    event.put("windowsVirtualKeyCode", KEYS.get(key));
    if (key.equals("Enter")) {
      event.put("text", "\r");
    }
    for (String type : List.of("keyDown", "keyUp")) {
      event.put("type", type);
      send("Input.dispatchKeyEvent", event);
    }
  }

  /** Into the element that has the focus. */
  public void type(String text) throws Exception {
    send("Input.insertText", Map.of("text", text));
  }

  /** The value of an expression, awaited if it is a promise. */
  public Object evaluate(String script) throws Exception {
    KubeObject answer =
        send(
            "Runtime.evaluate",
            Map.of("expression", script, "returnByValue", true, "awaitPromise", true));
    if (!answer.map("exceptionDetails").isEmpty()) {
      throw new IOException(answer.map("exceptionDetails").toString());
    }
    return answer.at("result", "value");
  }

  /** Of {@code prefers-color-scheme}: light or dark. */
  public void prefer(String scheme) throws Exception {
    send(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  public void resize(int width, int height) throws Exception {
    send(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** A PNG of what is visible. */
  public byte[] screenshot() throws Exception {
    return Base64.getDecoder()
        .decode(send("Page.captureScreenshot", Map.of("format", "png")).text("data"));
  }

  /** URLs of all requests so far. */
  public List<String> requests() {
    return List.copyOf(requests);
  }

  /** What the browser logged, such as violations of a page's policy. */
  public List<String> complaints() {
    return List.copyOf(complaints);
  }

  private KubeObject send(String method, Map<String, ?> parameters) throws Exception {
    int id = ids.incrementAndGet();
    var answer = new CompletableFuture<KubeObject>();
    answers.put(id, answer);
    var message = new LinkedHashMap<String, Object>();
    message.put("id", (long) id);
    message.put("method", method);
    message.put("params", parameters);
    if (!session.isEmpty()) {
      message.put("sessionId", session);
    }
    socket.sendText(KubeJson.writeText(message), true).get(SECONDS, TimeUnit.SECONDS);
    KubeObject answered = answer.get(SECONDS, TimeUnit.SECONDS);
    if (!answered.map("error").isEmpty()) {
      throw new IOException(method + ": " + answered.map("error"));
    }
    return KubeObject.of(Trees.mapOrEmpty(answered.at("result")));
  }

  private void received(KubeObject message) {
    if (message.at("id") instanceof Long id) {
      Optional.ofNullable(answers.remove(id.intValue())).ifPresent(it -> it.complete(message));
      return;
    }
    switch (message.text("method")) {
      case "Page.loadEventFired" -> loaded.complete(null);
      case "Network.requestWillBeSent" -> requests.add(message.text("params", "request", "url"));
      case "Log.entryAdded" ->
          complaints.add(
              message.text("params", "entry", "text")
                  + " "
                  + message.text("params", "entry", "url"));
      default -> {}
    }
  }

  private final class Messages implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        try {
          received(KubeJson.readObject(text.toString()));
        } catch (MalformedJson e) {
          complaints.add("unreadable message: " + e.getMessage());
        }
        text.setLength(0);
      }
      from.request(1);
      return CompletableFuture.completedStage(null);
    }
  }

  /** Waits for the end of the process, which writes its profile until then. */
  @Override
  public void close() {
    socket.abort();
    http.shutdownNow();
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
    process.onExit().join();
  }
}
