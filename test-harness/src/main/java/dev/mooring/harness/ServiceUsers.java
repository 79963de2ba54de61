package dev.mooring.harness;

import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Who the services are for kcp and the service cluster: users that may do nothing but what the
 * manifests shipped with Mooring grant them. They log in with client certificates of an authority
 * that the servers trust, or with bearer tokens that a kcp already knows.
 */
public final class ServiceUsers {
  /** The certificate of an authority whose clients the kcp of {@code KCP_KUBECONFIG} lets in. */
  static final String CLIENT_CA = "KCP_CLIENT_CA";

  /** The key of that authority. */
  static final String CLIENT_CA_KEY = "KCP_CLIENT_CA_KEY";

  /** The token file that the kcp of {@code KCP_KUBECONFIG} was started with. */
  static final String TOKENS = "KCP_TOKENS";

  private static final String SERVICE_ACCOUNT = "system:serviceaccount:";
  private static final String MASTERS = "system:masters";
  private static final List<Program> SERVICES =
      List.of(Program.SYNC_AGENT, Program.DEPENDENCY_CONTROLLER, Program.DEPENDENCY_WEBHOOK);

  private final Map<Program, User> users;
  private final Optional<CertificateAuthority> authority;

  /**
   * A user and what logs it in.
   *
   * @param credentials the {@code user} entry of a kubeconfig; never printed
   */
  public record User(String name, Map<String, Object> credentials) {
    @Override
    public String toString() {
      return name;
    }
  }

  private ServiceUsers(Map<Program, User> users, Optional<CertificateAuthority> authority) {
    this.users = new EnumMap<>(users);
    this.authority = authority;
  }

  /** Users of the manifests' own names, each with a certificate that the authority signs now. */
  static ServiceUsers signedBy(CertificateAuthority authority) {
    var users = new EnumMap<Program, User>(Program.class);
    for (Program service : SERVICES) {
      String name = manifestName(service);
      users.put(service, new User(name, certified(authority, name, List.of())));
    }
    return new ServiceUsers(users, Optional.of(authority));
  }

  /**
   * Users of a kcp that already runs: with certificates of the authority that {@value #CLIENT_CA}
   * and {@value #CLIENT_CA_KEY} name, else the first three of the file that {@value #TOKENS} names.
   * Empty if neither is set; then the services have the administrator's rights.
   *
   * @param environment variables by name
   * @param directory for what the authority needs
   */
  static Optional<ServiceUsers> ofRunningKcp(Map<String, String> environment, Path directory) {
    Optional<Path> authority = file(environment, CLIENT_CA);
    Optional<Path> key = file(environment, CLIENT_CA_KEY);
    if (authority.isPresent() != key.isPresent()) {
      throw new HarnessFailure(
          CLIENT_CA + " and " + CLIENT_CA_KEY + " belong together: set both or neither.");
    }
    return authority.isPresent()
        ? Optional.of(signedBy(CertificateAuthority.of(authority.get(), key.get(), directory)))
        : file(environment, TOKENS).map(ServiceUsers::ofTokenFile);
  }

  private static Optional<Path> file(Map<String, String> environment, String variable) {
    Optional<Path> file =
        Optional.ofNullable(environment.get(variable))
            .filter(named -> !named.isBlank())
            .map(named -> Path.of(named).toAbsolutePath().normalize());
    file.filter(named -> !Files.isReadable(named))
        .ifPresent(named -> {
          throw new HarnessFailure(variable + " names " + named + ", which cannot be read.");
        });
    return file;
  }

  private static ServiceUsers ofTokenFile(Path file) {
    try {
      List<String> lines = new ArrayList<>(Files.readAllLines(file));
      lines.removeIf(String::isBlank);
      if (lines.size() < SERVICES.size()) {
        throw new HarnessFailure(
            TOKENS + " names " + file + ", which has fewer than " + SERVICES.size() + " users.");
      }
      var users = new EnumMap<Program, User>(Program.class);
      for (int i = 0; i < SERVICES.size(); i++) {
        String[] columns = lines.get(i).split(",", 3);
        requireNoServiceAccount(file, columns[1]);
        users.put(SERVICES.get(i), new User(columns[1], Map.of("token", columns[0])));
      }
      return new ServiceUsers(users, Optional.empty());
    } catch (IOException e) {
      throw new HarnessFailure(TOKENS + " names " + file + ", which cannot be read.", e);
    }
  }

  private static void requireNoServiceAccount(Path file, String user) {
    if (user.startsWith(SERVICE_ACCOUNT)) {
      throw new HarnessFailure(
          TOKENS
              + " names "
              + file
              + ", which has the user "
              + user
              + ": a ServiceAccount's name in a token file is no ServiceAccount. kcp gives the real"
              + " one another name outside its own workspace, and what is bound to this name in"
              + " system:admin is granted to the ServiceAccounts of that name in every workspace."
              + " Use a name of your own, or client certificates ("
              + CLIENT_CA
              + ", "
              + CLIENT_CA_KEY
              + ").");
    }
  }

  /**
   * Credentials of a member of {@code system:masters}, for every shard; empty if there is no
   * authority to sign them.
   */
  Optional<Map<String, Object>> shardAdmin() {
    return authority.map(signer -> certified(signer, "shard-admin", List.of(MASTERS)));
  }

  public User of(Program service) {
    return Objects.requireNonNull(users.get(service), service.module());
  }

  /** The user that the shipped RBAC manifests name. */
  public static String manifestName(Program service) {
    return switch (service) {
      case SYNC_AGENT -> "mooring:sync-agent";
      case DEPENDENCY_CONTROLLER -> "mooring:dependency-controller";
      case DEPENDENCY_WEBHOOK -> "mooring:dependency-webhook";
      case SANDBOX -> throw new IllegalArgumentException("the sandbox is no client");
    };
  }

  private static Map<String, Object> certified(
      CertificateAuthority authority, String name, List<String> groups) {
    return authority.clientIdentity(name, groups, Instant.now()).kubeconfigUser();
  }
}
