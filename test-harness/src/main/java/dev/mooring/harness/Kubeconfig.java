package dev.mooring.harness;

import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * The server, its trust and the user of a kubeconfig's current context. Files that the kubeconfig
 * refers to keep their place, as absolute paths.
 *
 * @param cluster the {@code cluster} entry, with {@code server}
 * @param user the {@code user} entry: credentials, never printed
 */
public record Kubeconfig(Map<String, Object> cluster, Map<String, Object> user) {
  private static final List<String> FILE_KEYS =
      List.of("certificate-authority", "client-certificate", "client-key", "tokenFile");

  public Kubeconfig {
    cluster = Trees.freezeMap(cluster);
    user = Trees.freezeMap(user);
  }

  /** The current context of the file. */
  public static Kubeconfig read(Path file) {
    Object document = load(file);
    return read(file, document, Trees.text(document, "current-context"));
  }

  /** Another context of the file; empty if it has none of that name. */
  public static Optional<Kubeconfig> read(Path file, String context) {
    Object document = load(file);
    boolean known =
        Trees.list(document, "contexts").stream()
            .anyMatch(entry -> context.equals(Trees.at(entry, "name")));
    return known ? Optional.of(read(file, document, context)) : Optional.empty();
  }

  private static Object load(Path file) {
    try (var reader = Files.newBufferedReader(file)) {
      return new Yaml(new SafeConstructor(new LoaderOptions())).load(reader);
    } catch (IOException | org.yaml.snakeyaml.error.YAMLException e) {
      throw new HarnessFailure("The kubeconfig " + file + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static Kubeconfig read(Path file, Object document, String context) {
    Map<String, Object> chosen = entry(file, document, "contexts", context, "context");
    Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent(), "directory");
    var cluster = entry(file, document, "clusters", Trees.text(chosen, "cluster"), "cluster");
    var user = entry(file, document, "users", Trees.text(chosen, "user"), "user");
    return new Kubeconfig(absolute(cluster, directory), absolute(user, directory));
  }

  public URI server() {
    return URI.create(Trees.text(cluster, "server"));
  }

  /** The same server and user, pointed at a workspace. */
  public Kubeconfig at(WorkspacePath workspace) {
    URI server = server();
    return at(
        URI.create(
            server.getScheme() + "://" + server.getRawAuthority() + "/clusters/" + workspace));
  }

  /** The same trust and user, pointed at another URL. */
  public Kubeconfig at(URI server) {
    SequencedMap<String, Object> moved = Trees.thawMap(cluster);
    moved.put("server", server.toString());
    return new Kubeconfig(moved, user);
  }

  /**
   * The same server and trust, with another user's credentials.
   *
   * @param credentials a {@code user} entry
   */
  public Kubeconfig withUser(Map<String, Object> credentials) {
    return new Kubeconfig(cluster, credentials);
  }

  /** The PEM text of the authorities that the server's certificate is checked with, if any. */
  public Optional<byte[]> authorities() {
    if (cluster.get("certificate-authority-data") instanceof String data) {
      return Optional.of(Base64.getDecoder().decode(data));
    }
    if (!(cluster.get("certificate-authority") instanceof String file)) {
      return Optional.empty();
    }
    return Optional.of(OwnFiles.read(Path.of(file)).getBytes(StandardCharsets.UTF_8));
  }

  /** Writes a file of one context, which only its owner can read, for it holds credentials. */
  public Path write(Path file) {
    Map<String, Object> document =
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Config",
            "clusters",
            List.of(Map.of("name", "mooring", "cluster", Trees.thawMap(cluster))),
            "users",
            List.of(Map.of("name", "mooring", "user", Trees.thawMap(user))),
            "contexts",
            List.of(
                Map.of(
                    "name", "mooring", "context", Map.of("cluster", "mooring", "user", "mooring"))),
            "current-context",
            "mooring");
    var options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setSplitLines(false);
    OwnFiles.write(file, new Yaml(options).dump(document));
    return file;
  }

  /** Never the credentials. */
  @Override
  public String toString() {
    return "Kubeconfig[" + server() + "]";
  }

  private static Map<String, Object> entry(
      Path file, Object document, String list, String name, String content) {
    for (Object item : Trees.list(document, list)) {
      if (name.equals(Trees.at(item, "name"))) {
        return Trees.map(item, content);
      }
    }
    throw new HarnessFailure(
        "The kubeconfig " + file + " has no \"" + name + "\" under " + list + ".");
  }

  private static Map<String, Object> absolute(Map<String, Object> entry, Path directory) {
    SequencedMap<String, Object> copy = Trees.thawMap(entry);
    for (String key : FILE_KEYS) {
      if (copy.get(key) instanceof String relative) {
        copy.put(key, directory.resolve(relative).normalize().toString());
      }
    }
    return copy;
  }
}
