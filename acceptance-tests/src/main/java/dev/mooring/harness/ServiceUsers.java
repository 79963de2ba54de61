package dev.mooring.harness;

import dev.mooring.runtime.time.Ids;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who the services are for kcp and the service cluster: users that may do nothing but what the
 * manifests shipped with Mooring grant them. They log in with bearer tokens of a file that the
 * servers are started with, a line of {@code token,user,uid,"groups"} for each.
 */
public final class ServiceUsers {
  private static final List<Program> SERVICES =
      List.of(Program.SYNC_AGENT, Program.DEPENDENCY_CONTROLLER, Program.DEPENDENCY_WEBHOOK);

  private final Path file;
  private final Map<Program, User> users;

  /** A bearer token and the user name it stands for; the token is never printed. */
  public record User(String name, String token) {
    @Override
    public String toString() {
      return name;
    }
  }

  private ServiceUsers(Path file, Map<Program, User> users) {
    this.file = file;
    this.users = new EnumMap<>(users);
  }

  /** Users of the manifests' own names with tokens that nobody has had before. */
  static ServiceUsers fresh(Path file, Ids ids) {
    var users = new EnumMap<Program, User>(Program.class);
    var lines = new StringBuilder();
    for (Program service : SERVICES) {
      var user = new User(manifestName(service), ids.next());
      users.put(service, user);
      lines.append("%s,%s,%s%n".formatted(user.token(), user.name(), service.module()));
    }
    OwnFiles.write(file, lines.toString());
    return new ServiceUsers(file, users);
  }

  /**
   * Users of a kcp that already runs: the first three of the file it was started with, {@code
   * KCP_TOKENS}. Empty if that is not set; then the services have the administrator's rights.
   */
  static Optional<ServiceUsers> ofRunningKcp() {
    String named = System.getenv("KCP_TOKENS");
    if (named == null || named.isBlank()) {
      return Optional.empty();
    }
    Path file = Path.of(named).toAbsolutePath().normalize();
    try {
      List<String> lines = new ArrayList<>(Files.readAllLines(file));
      lines.removeIf(String::isBlank);
      if (lines.size() < SERVICES.size()) {
        throw new HarnessFailure(
            "KCP_TOKENS names " + file + ", which has fewer than " + SERVICES.size() + " users.");
      }
      var users = new EnumMap<Program, User>(Program.class);
      for (int i = 0; i < SERVICES.size(); i++) {
        String[] columns = lines.get(i).split(",", 3);
        users.put(SERVICES.get(i), new User(columns[1], columns[0]));
      }
      return Optional.of(new ServiceUsers(file, users));
    } catch (IOException e) {
      throw new HarnessFailure("KCP_TOKENS names " + file + ", which cannot be read.", e);
    }
  }

  /** The file for a server's {@code --token-auth-file}. */
  Path file() {
    return file;
  }

  public User of(Program service) {
    return users.get(service);
  }

  /** The user that the shipped RBAC manifests name. */
  public static String manifestName(Program service) {
    return switch (service) {
      case SYNC_AGENT -> "mooring:sync-agent";
      case DEPENDENCY_CONTROLLER -> "mooring:dependency-controller";
      case DEPENDENCY_WEBHOOK -> "mooring:dependency-webhook";
      case SANDBOX -> throw new IllegalArgumentException("the sandbox is nobody's client");
    };
  }
}
