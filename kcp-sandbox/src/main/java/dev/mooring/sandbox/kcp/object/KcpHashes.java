package dev.mooring.sandbox.kcp.object;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.json.KubeJson;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;

/**
 * The hashes that kcp puts into labels, names and statuses. They are the same as kcp's, so that an
 * object's labels mean the same on both.
 */
public final class KcpHashes {
  private static final String DIGITS =
      "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

  /** Marks an APIBinding as visible to its export's owner without any claim. */
  public static final String REFLEXIVE_CLAIM = "LstvmbbzVDDOn90ZbhzSQO5U3DMCf88h1pZ";

  private static final int SHORT = 5;
  private static final int HOME_BYTES = 8;

  private KcpHashes() {}

  /** The identity of an export: hex of SHA-256 over its secret key. */
  public static String identity(byte[] key) {
    return HexFormat.of().formatHex(digest("SHA-256", key));
  }

  /** Which export: part of the label on everything it may see. */
  public static String export(LogicalCluster cluster, String name) {
    return base62(cluster.name() + ":" + name);
  }

  /**
   * Which claim: the value of that label. Verbs and selectors are no part of a claim's identity.
   */
  public static String claim(String group, String resource, String identityHash) {
    var tree = new LinkedHashMap<String, Object>();
    if (!group.isEmpty()) {
      tree.put("group", group);
    }
    tree.put("resource", resource);
    tree.put("verbs", null);
    if (!identityHash.isEmpty()) {
      tree.put("identityHash", identityHash);
    }
    return base62(KubeJson.writeText(tree));
  }

  /** The name of a default APIBinding: stable, so that it is made once. */
  public static String bindingName(LogicalCluster cluster, String path, String export) {
    String hash = base62(cluster.name() + "|" + path + "|" + export);
    return export + "-" + hash.substring(0, SHORT).toLowerCase(Locale.ROOT);
  }

  /** A shard's name as Workspaces carry it: eight characters. */
  public static String shard(String name) {
    byte[] digest = digest("SHA-224", name.getBytes(StandardCharsets.UTF_8));
    return new BigInteger(1, digest).toString(Character.MAX_RADIX).substring(0, 8);
  }

  /** Of the name of an initializer or a terminator, as labels of LogicalClusters have it. */
  public static String controller(String name) {
    return HexFormat.of().formatHex(digest("SHA-224", name.getBytes(StandardCharsets.UTF_8)));
  }

  /** The name of the logical cluster of a user's home workspace. */
  public static String home(String user) {
    byte[] digest = digest("SHA-224", user.getBytes(StandardCharsets.UTF_8));
    var digits = new StringBuilder();
    for (int i = 0; i < HOME_BYTES && digest[i] == 0; i++) {
      digits.append('0');
    }
    var number = new BigInteger(1, Arrays.copyOf(digest, HOME_BYTES));
    return digits.append(number.toString(Character.MAX_RADIX)).toString();
  }

  private static String base62(String text) {
    var rest = new BigInteger(1, digest("SHA-224", text.getBytes(StandardCharsets.UTF_8)));
    BigInteger base = BigInteger.valueOf(DIGITS.length());
    var reversed = new StringBuilder();
    while (rest.signum() > 0) {
      BigInteger[] step = rest.divideAndRemainder(base);
      reversed.append(DIGITS.charAt(step[1].intValue()));
      rest = step[0];
    }
    return reversed.reverse().toString();
  }

  private static byte[] digest(String algorithm, byte[] input) {
    try {
      return MessageDigest.getInstance(algorithm).digest(input);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java runtime has " + algorithm, e);
    }
  }
}
