package dev.mooring.sandbox.kcp.object;

import dev.mooring.sandbox.strategy.NameGenerator;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Where names come from that have to be new.
 *
 * @param clusters names of logical clusters: 16 letters and digits
 * @param suffixes completes a {@code generateName}
 * @param identityKeys long and unguessable, because a provider that knows one can pose as the
 *     export
 */
public record KcpIds(
    Supplier<String> clusters, UnaryOperator<String> suffixes, Supplier<String> identityKeys) {
  private static final int CLUSTER_LENGTH = 16;
  private static final int KEY_BITS = 1024;

  public static KcpIds random() {
    var random = new SecureRandom();
    return new KcpIds(
        () -> clusterName(new BigInteger(128, random)),
        new NameGenerator(random)::generate,
        () -> new BigInteger(KEY_BITS, random).toString(Character.MAX_RADIX));
  }

  /** Of the same form as kcp's: letters and digits, always of the same length. */
  static String clusterName(BigInteger number) {
    String digits = number.toString(Character.MAX_RADIX);
    String padded = "0".repeat(Math.max(0, CLUSTER_LENGTH - digits.length())) + digits;
    return padded.substring(padded.length() - CLUSTER_LENGTH);
  }
}
