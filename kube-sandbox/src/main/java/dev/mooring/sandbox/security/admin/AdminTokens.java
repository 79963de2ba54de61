package dev.mooring.sandbox.security.admin;

import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.codec.YamlText;
import dev.mooring.sandbox.security.user.UserInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * The bearer tokens of the administrators. Those of an admin kubeconfig that is already there are
 * kept, so that its copies stay good over a restart.
 *
 * @param admin of the user whom the current context names
 * @param shardAdmin of the user {@code shard-admin} in {@code system:masters}
 */
public record AdminTokens(String admin, String shardAdmin) {
  private static final int TOKEN_BYTES = 24;

  /** Those in the kubeconfig file, if it is one of ours; fresh ones otherwise. */
  public static AdminTokens keptIn(Path kubeconfig, String adminName) {
    Map<String, String> kept = Files.exists(kubeconfig) ? tokens(kubeconfig) : Map.of();
    String admin = kept.getOrDefault(adminName, "");
    String shardAdmin = kept.getOrDefault(Kubeconfigs.SHARD_ADMIN, "");
    return new AdminTokens(
        admin.isEmpty() ? newToken() : admin, shardAdmin.isEmpty() ? newToken() : shardAdmin);
  }

  private static Map<String, String> tokens(Path kubeconfig) {
    var tokens = new HashMap<String, String>();
    try {
      Object document = YamlText.read(Files.readString(kubeconfig));
      for (Object user : Trees.list(document, "users")) {
        tokens.put(Trees.text(user, "name"), Trees.text(user, "user", "token"));
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + kubeconfig, e);
    } catch (MalformedJson e) {
      throw new IllegalStateException(kubeconfig + " is not YAML; remove it and start again", e);
    }
    return tokens;
  }

  /** The users of kcp's kubeconfig, by token: {@code kcp-admin} and {@code shard-admin}. */
  public Map<String, UserInfo> kcpUsers() {
    return Map.of(
        admin, user(Kubeconfigs.KCP_ADMIN, UserInfo.KCP_ADMINS),
        shardAdmin, user(Kubeconfigs.SHARD_ADMIN, UserInfo.MASTERS));
  }

  public Map<String, UserInfo> kubernetesUsers() {
    return Map.of(admin, user(Kubeconfigs.KUBERNETES_ADMIN, UserInfo.MASTERS));
  }

  /** The UID is the same at every start, unlike in kcp: nothing is gained by another one. */
  private static UserInfo user(String name, String group) {
    String uid = "00000000-0000-4000-8000-%012x".formatted(name.hashCode() & 0xffffffffL);
    return new UserInfo(name, uid, List.of(group), Map.of());
  }

  private static String newToken() {
    var bytes = new byte[TOKEN_BYTES];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** Never the tokens. */
  @Override
  public String toString() {
    return "AdminTokens[]";
  }
}
