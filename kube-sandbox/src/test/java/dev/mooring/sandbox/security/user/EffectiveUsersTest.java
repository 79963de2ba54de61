package dev.mooring.sandbox.security.user;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EffectiveUsersTest {
  private static final LogicalCluster HERE = new LogicalCluster("here");
  private static final UserInfo OUTSIDER = UserInfo.of("system:anonymous", "system:authenticated");

  @Test
  void unconfinedUserIsItselfEverywhere() {
    UserInfo alice = UserInfo.of("alice", "team");

    assertThat(EffectiveUsers.in(HERE, alice)).containsExactly(alice);
  }

  @Test
  void scopedUserIsItselfInsideAndAnOutsiderElsewhere() {
    assertThat(EffectiveUsers.in(HERE, scoped("cluster:here,cluster:there")))
        .containsExactly(scoped("cluster:here,cluster:there"));
    assertThat(EffectiveUsers.in(HERE, scoped("cluster:there")))
        .containsExactly(
            UserInfo.of("system:anonymous", "system:authenticated", "system:cluster:there"));
  }

  @Test
  void severalScopesAllHaveToNameTheCluster() {
    assertThat(EffectiveUsers.in(HERE, scoped("cluster:here", "cluster:there")))
        .containsExactly(OUTSIDER);
    assertThat(
            EffectiveUsers.in(
                HERE, scoped("cluster:here,cluster:there", "cluster:there,cluster:x")))
        .containsExactly(
            UserInfo.of("system:anonymous", "system:authenticated", "system:cluster:there"));
  }

  @Test
  void foreignServiceAccountHasItsGlobalNameAlone() {
    UserInfo account =
        new UserInfo(
            "system:serviceaccount:default:robot",
            "",
            List.of("system:serviceaccounts", "system:authenticated"),
            Map.of(EffectiveUsers.CLUSTER_NAME, List.of("there")));

    assertThat(EffectiveUsers.in(HERE, account))
        .containsExactly(
            UserInfo.of("system:kcp:serviceaccount:there:default:robot", "system:authenticated"),
            OUTSIDER);
  }

  @Test
  void warrantAddsItsUserWhereThatIsInScope() {
    UserInfo bearer =
        new UserInfo(
            "alice",
            "",
            List.of("system:authenticated"),
            Map.of(
                EffectiveUsers.WARRANT,
                List.of(
                    """
                    {"user":"system:serviceaccount:default:rest","groups":["system:kcp:admin"],
                     "extra":{"authentication.kcp.io/cluster-name":["here"]}}\
                    """)));

    assertThat(EffectiveUsers.in(HERE, bearer))
        .extracting(UserInfo::name)
        .containsExactly(
            "alice",
            "system:serviceaccount:default:rest",
            "system:kcp:serviceaccount:here:default:rest");
    assertThat(EffectiveUsers.in(new LogicalCluster("there"), bearer))
        .noneMatch(user -> user.groups().contains("system:kcp:admin"));
  }

  @Test
  void warrantThatNamesClustersIsInTheirGroups() {
    UserInfo bearer =
        new UserInfo(
            "alice",
            "",
            List.of(),
            Map.of(
                EffectiveUsers.WARRANT,
                List.of(
                    """
                    {"user":"bob","groups":["g"],"extra":{"authentication.kcp.io/scopes":["cluster:here"]}}\
                    """)));

    assertThat(EffectiveUsers.in(HERE, bearer))
        .extracting(UserInfo::groups)
        .containsExactly(List.of(), List.of("g", "system:cluster:here"));
  }

  @Test
  void malformedWarrantAddsNoUser() {
    UserInfo bearer =
        new UserInfo("alice", "", List.of(), Map.of(EffectiveUsers.WARRANT, List.of("{")));

    assertThat(EffectiveUsers.in(HERE, bearer)).containsExactly(bearer);
  }

  @Test
  void prefixReachesUserGroupsAndWarrants() {
    UserInfo bearer =
        new UserInfo(
            "alice",
            "u",
            List.of("team"),
            Map.of(EffectiveUsers.WARRANT, List.of("{\"user\":\"bob\",\"groups\":[\"g\"]}")));

    UserInfo prefixed = PrefixedUser.of("p:", bearer);

    assertThat(prefixed.name()).isEqualTo("p:alice");
    assertThat(prefixed.groups()).containsExactly("p:team");
    assertThat(EffectiveUsers.in(HERE, prefixed))
        .contains(new UserInfo("p:bob", "", List.of("p:g"), Map.of()));
  }

  private static UserInfo scoped(String... scopes) {
    return new UserInfo(
        "alice",
        "",
        List.of("system:authenticated"),
        Map.of(EffectiveUsers.SCOPES, List.of(scopes)));
  }
}
