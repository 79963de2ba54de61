package dev.mooring.syncagent.clusters;

import static dev.mooring.syncagent.clusters.NamespaceContents.NOTHING;
import static dev.mooring.syncagent.clusters.NamespaceContents.SOMETHING;
import static dev.mooring.syncagent.clusters.NamespaceContents.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NamespaceContentsTest {
  private static final CopiedKind ORDERS = new CopiedKind("example.io", "Order");
  private static final CopiedKind INVOICES = new CopiedKind("example.io", "Invoice");

  @Test
  void areNothingOnlyIfEveryTypeHasNothing() {
    assertThat(contents(Map.of(ORDERS, NOTHING, INVOICES, NOTHING))).isEqualTo(NOTHING);
  }

  @Test
  void areUnknownWhereATypeIsNotFollowedYet() {
    assertThat(contents(Map.of(ORDERS, NOTHING))).isEqualTo(UNKNOWN);
  }

  @Test
  void areUnknownWhereATypeCannotSay() {
    assertThat(contents(Map.of(ORDERS, NOTHING, INVOICES, UNKNOWN))).isEqualTo(UNKNOWN);
  }

  @Test
  void areSomethingWhereOneTypeHasAnything() {
    assertThat(contents(Map.of(ORDERS, SOMETHING))).isEqualTo(SOMETHING);
    assertThat(contents(Map.of(ORDERS, SOMETHING, INVOICES, UNKNOWN))).isEqualTo(SOMETHING);
  }

  @Test
  void areAlsoOfATypeThatIsStillFollowedThoughNobodyPublishesItAnyMore() {
    assertThat(NamespaceContents.of(Set.of(), Map.of(ORDERS, SOMETHING))).isEqualTo(SOMETHING);
    assertThat(NamespaceContents.of(Set.of(), Map.of())).isEqualTo(NOTHING);
  }

  private static NamespaceContents contents(Map<CopiedKind, NamespaceContents> answers) {
    return NamespaceContents.of(Set.of(ORDERS, INVOICES), answers);
  }
}
