package dev.mooring.sandbox.kcp.object;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The expected values are those that a kcp gave. */
class KcpHashesTest {
  @Test
  void identifiesAnExportByTheHashOfItsKey() {
    assertThat(KcpHashes.identity("correct-horse".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo("9dca666eb54730714630d1519264a7bf1eeaad00b8f2edc90d3ecbfad928d163");
  }

  @Test
  void labelsClaimedObjectsAsKcpDoes() {
    assertThat(KcpHashes.export(new LogicalCluster("36gr3mqxdw28j4rv"), "gizmos"))
        .isEqualTo("4EFMAOGhoDIHXBSvuOAnGeLR7U982ejpZkjEMN");
    assertThat(KcpHashes.claim("", "configmaps", ""))
        .isEqualTo("3QVjs6pfBjMpLEVYYhysJnroYGsQGlWm05E4qe");
  }

  @Test
  void namesDefaultBindingsInLowerCase() {
    assertThat(KcpHashes.bindingName(new LogicalCluster("a"), "root", "tenancy.kcp.io"))
        .matches("tenancy\\.kcp\\.io-[a-z0-9]{5}");
  }

  @Test
  void givesShardsAndClustersFixedLengths() {
    assertThat(KcpHashes.shard("root")).isEqualTo("1pfxsevk");
    assertThat(KcpIds.clusterName(BigInteger.ONE)).isEqualTo("0000000000000001");
    assertThat(KcpIds.clusterName(BigInteger.TWO.pow(127))).hasSize(16);
  }

  /** From kcp's own test of the function. */
  @Test
  void namesTheHomeClusterOfAUser() {
    assertThat(KcpHashes.home("alice")).isEqualTo("v1u4alow0iv9");
  }
}
