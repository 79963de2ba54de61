package dev.mooring.sandbox.kube;

import com.google.common.base.Throwables;
import dev.mooring.sandbox.fault.FaultInjector;
import dev.mooring.sandbox.http.ApiServer;
import dev.mooring.sandbox.security.admin.AdminTokens;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import dev.mooring.sandbox.security.certificate.ClientAuthorities;
import dev.mooring.sandbox.security.certificate.ServerIdentity;
import dev.mooring.sandbox.security.token.ServiceAccountTokens;
import dev.mooring.sandbox.security.token.TokenFile;
import dev.mooring.sandbox.security.user.UserInfo;
import dev.mooring.sandbox.storage.InMemoryResourceStore;
import dev.mooring.sandbox.storage.ResourceStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What all servers of a sandbox have in common: users, certificates, time and faults.
 *
 * @param ca signs the servers' certificate and their tokens
 * @param clients whose client certificates log in; empty if none do
 */
public record SandboxContext(
    KubeOptions options,
    Distribution distribution,
    Clock clock,
    CertificateAuthority ca,
    Optional<ClientAuthorities> clients,
    ServerIdentity identity,
    AdminTokens adminTokens,
    FaultInjector faults) {
  /** The audience of the server's own tokens, as in kcp. */
  static final String AUDIENCE = "https://kcp.default.svc";

  public static SandboxContext of(KubeOptions options, Distribution distribution) {
    provideCarriers();
    Clock clock = Clock.systemUTC();
    var ca = CertificateAuthority.in(options.rootDirectory(), clock.instant());
    return new SandboxContext(
        options,
        distribution,
        clock,
        ca,
        options.clientCaFile().map(ClientAuthorities::in),
        ca.serverIdentity(
            new LinkedHashSet<>(List.of(options.hostname(), options.bindAddress())),
            clock.instant()),
        AdminTokens.keptIn(options.kubeconfigFile(), distribution.administrator()),
        new FaultInjector());
  }

  /**
   * With one carrier per processor, as the JDK has them, virtual threads that wait in the loading
   * of a class stop all others on a small machine. 64 cost 1,000 watchers no time, 256 do.
   */
  private static void provideCarriers() {
    String property = "jdk.virtualThreadScheduler.parallelism";
    if (System.getProperty(property) == null) {
      System.setProperty(property, "64");
    }
  }

  /** PEM of the authority that clients trust. */
  public String authority() {
    return ca.certificatePem();
  }

  /** The same for all servers of a sandbox. */
  public ServiceAccountTokens serviceAccountTokens() {
    return new ServiceAccountTokens(ca.tokenKeys(), AUDIENCE);
  }

  /** The users whose tokens no server issues, by token. */
  Map<String, UserInfo> users() {
    var users = new LinkedHashMap<String, UserInfo>();
    options.tokenFile().ifPresent(file -> users.putAll(TokenFile.read(file)));
    users.putAll(distribution.administrators().apply(adminTokens));
    return users;
  }

  /**
   * Does nothing if objects are in memory alone.
   *
   * @param url that kept objects name
   * @param shards how many the sandbox starts with
   * @throws IllegalStateException if the data directory has the objects of another server
   * @throws UncheckedIOException if they cannot be read or written
   */
  public void requireSameData(URI url, int shards) {
    if (options.dataDirectory().isEmpty()) {
      return;
    }
    Path directory = options.dataDirectory().get();
    Path file = directory.resolve("server");
    String server = url + " with " + shards + (shards == 1 ? " shard" : " shards");
    try {
      if (!Files.exists(file)) {
        Files.createDirectories(directory);
        Files.writeString(file, server + "\n");
      }
      String kept = Files.readString(file).strip();
      if (!kept.equals(server)) {
        throw new IllegalStateException(
            "%s has the objects of %s, not of %s: start with that address, port and number of"
                    .formatted(directory, kept, server)
                + " shards, or with another data directory");
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot keep objects in " + directory, e);
    }
  }

  /**
   * @param version before the first write, if nothing is kept yet
   */
  public ResourceStore store(String server, long version) {
    return options
        .dataDirectory()
        .map(directory -> InMemoryResourceStore.in(directory.resolve(server + ".mv.db"), version))
        .orElseGet(() -> InMemoryResourceStore.beginningAt(version));
  }

  /**
   * A server that has taken its port and does not answer yet.
   *
   * @param port 0 for any free one
   * @throws UncheckedIOException if the port is taken
   */
  public ApiServer bind(int port) {
    var server = new ApiServer(identity, clients, options.bindAddress(), options.hostname(), port);
    try {
      server.bind();
      return server;
    } catch (IOException e) {
      server.close();
      throw new UncheckedIOException(
          "cannot listen on %s:%s: %s; choose another --secure-port or --bind-address"
              .formatted(options.bindAddress(), port, Throwables.getRootCause(e).getMessage()),
          e);
    }
  }
}
