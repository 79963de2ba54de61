package dev.mooring.syncagent.related.decide;

import static dev.mooring.syncagent.related.decide.RelatedFixture.entry;
import static dev.mooring.syncagent.related.decide.RelatedFixture.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.Primaries;
import dev.mooring.syncagent.published.Scope;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.RelatedResolver.Scopes;
import dev.mooring.syncagent.related.decide.Resolution.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RelatedResolverTest {
  private static final ResourceType SECRETS = ResourceType.core("secrets");
  private static final LogicalCluster CLUSTER = new LogicalCluster("c1");
  private static final Scopes NAMESPACED = new Scopes(Scope.NAMESPACED, Scope.NAMESPACED);
  private static final KubeObject IN_KCP =
      object(
          """
          {'metadata':{'namespace':'default','name':'web'},
           'spec':{'secret':'mine','names':['a','','c'],'empty':'','short':['x'],'long':'%s',
                   'namespaces':['n1','n2']}}
          """
              .formatted("l".repeat(254)));
  private static final KubeObject ON_SERVICE =
      object(
          """
          {'metadata':{'namespace':'synced','name':'web'},
           'spec':{'secret':'theirs','names':['x','y',''],'empty':'','short':['x','y'],'long':'l',
                   'namespaces':['m1','m2']}}
          """);

  @Test
  void pairsAReferenceOnBothSidesInThePrimarysNamespaces() {
    assertThat(pairs("{'reference':{'path':'spec.secret'}}"))
        .containsExactly(pair("synced/theirs", "default/mine"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'reference':{'path':'spec.missing'}}",
        "{'template':{'template':'{{ .Object.spec.missing | default `` }}'}}",
        "{'template':{'template':'  '}}",
        "{'template':{'template':'x-{{ .Object.spec.missing }}'}}"
      })
  void saysNotYetWhereThePrimaryNamesNothing(String locator) {
    Resolution resolution = resolve(locator, NAMESPACED);

    assertThat(resolution.pairs()).isEmpty();
    assertThat(resolution.outcome()).isInstanceOf(Outcome.Pending.class);
  }

  @Test
  void findsNoObjectsInAnEmptyField() {
    assertThat(resolve("{'reference':{'path':'spec.empty'}}", NAMESPACED))
        .isEqualTo(new Resolution(List.of(), java.util.Set.of(), new Outcome.Complete()));
  }

  @Test
  void skipsOnlyThePairsWithAnEmptyItem() {
    assertThat(pairs("{'reference':{'path':'spec.names'}}"))
        .containsExactly(pair("synced/x", "default/a"));
  }

  @Test
  void refusesListsOfUnequalLength() {
    assertUnclear(
        "{'reference':{'path':'spec.short'}}",
        "RelatedUnequalLists",
        "spec.short has 2 names where the originals are and 1 on the other side");
  }

  @Test
  void refusesANameThatIsTooLong() {
    assertUnclear("{'reference':{'path':'spec.long'}}", "RelatedNameInvalid", "254 characters");
  }

  @Test
  void refusesASelectorThatCannotBeRendered() {
    assertUnclear(
        "{'selector':{'matchLabels':{'a':'{{ .LocalObject.spec.nope.deep }}'},"
            + "'rewrite':{'regex':{'replacement':'x'}}}}",
        "RelatedUnresolvable",
        "nope");
  }

  @Test
  void selectsByLabelsInThePrimarysNamespaceAndRewritesNames() {
    Resolution resolution =
        resolve(
            "{'selector':{'matchLabels':{'app':'web'},"
                + "'rewrite':{'regex':{'pattern':'^s-','replacement':'k-'}}}}",
            NAMESPACED);

    assertThat(resolution.pairs())
        .containsExactly(pair("synced/s-1", "default/k-1"), pair("synced/s-2", "default/k-2"));
    assertThat(resolution.queries())
        .singleElement()
        .satisfies(query -> {
          assertThat(query.namespace()).isEqualTo("synced");
          assertThat(query.type()).isEqualTo(SECRETS);
          assertThat(query.labels().matches(Map.of("app", "web"))).isTrue();
          assertThat(query.labels().matches(Map.of("app", "db"))).isFalse();
        });
  }

  @Test
  void selectsNothingOfAnotherPrimarysSelector() {
    String locator =
        "{'selector':{'matchLabels':{'app':'{{ .RemoteObject.spec.secret }}'},"
            + "'rewrite':{'template':{'template':'{{ .Value }}'}}}}";
    var another =
        new Primaries(
            new LogicalCluster("c2"),
            Optional.empty(),
            IN_KCP.with("web", "spec", "secret"),
            ON_SERVICE);
    var entry = entry("service", locator);

    assertThat(RelatedResolver.resolve(entry, another, NAMESPACED, new Secrets()).pairs())
        .hasSize(2);
    assertThat(RelatedResolver.resolve(entry, primaries(), NAMESPACED, new Secrets()).pairs())
        .isEmpty();
  }

  @Test
  void looksInEveryNamespaceThatIsCalledFor() {
    assertThat(
            pairs(
                "{'template':{'template':'{{ .Side }}'},"
                    + "'namespace':{'reference':{'path':'spec.namespaces'}}}"))
        .containsExactly(pair("m1/service", "n1/kcp"), pair("m2/service", "n2/kcp"));
    assertThat(
            pairs(
                "{'selector':{'matchLabels':{'app':'web'},'rewrite':{'template':{'template':'{{"
                    + " .Value }}'}}},"
                    + "'namespace':{'selector':{'matchLabels':{'team':'a'},'rewrite':{'template':{'template':'to-{{"
                    + " .Value }}'}}}}}"))
        .containsExactly(pair("synced/s-1", "to-synced/s-1"), pair("synced/s-2", "to-synced/s-2"));
  }

  @Test
  void needsNoNamespaceForClusterScopedTypes() {
    Resolution resolution =
        resolve(
            "{'template':{'template':'{{ .Side }}'}}", new Scopes(Scope.CLUSTER, Scope.CLUSTER));

    assertThat(resolution.pairs()).containsExactly(pair("service", "kcp"));
  }

  @Test
  void needsANamespaceWhereThePrimaryHasNone() {
    var primaries =
        new Primaries(
            CLUSTER, Optional.empty(), IN_KCP.without("metadata", "namespace"), ON_SERVICE);

    Resolution resolution =
        RelatedResolver.resolve(
            entry("service", "{'template':{'template':'x'}}"),
            primaries,
            NAMESPACED,
            new Secrets());

    assertThat(resolution.outcome())
        .isEqualTo(
            new Outcome.Unclear(
                "RelatedNamespaceMissing",
                "the primary is cluster-scoped: the entry has to say object.namespace"));
  }

  private static void assertUnclear(String locator, String reason, String message) {
    Resolution resolution = resolve(locator, NAMESPACED);

    assertThat(resolution.pairs()).isEmpty();
    assertThat(resolution.outcome())
        .isInstanceOfSatisfying(
            Outcome.Unclear.class,
            unclear -> {
              assertThat(unclear.reason()).isEqualTo(reason);
              assertThat(unclear.message()).contains(message);
            });
  }

  private static List<RelatedPair> pairs(String locator) {
    return resolve(locator, NAMESPACED).pairs();
  }

  private static Resolution resolve(String locator, Scopes scopes) {
    return RelatedResolver.resolve(entry("service", locator), primaries(), scopes, new Secrets());
  }

  private static Primaries primaries() {
    return new Primaries(CLUSTER, Optional.empty(), IN_KCP, ON_SERVICE);
  }

  private static RelatedPair pair(String original, String copy) {
    return new RelatedPair(ref(Side.SERVICE, original), ref(Side.KCP, copy));
  }

  private static ObjectRef ref(Side side, String text) {
    int slash = text.indexOf('/');
    return ObjectRef.of(
        side, SECRETS, CLUSTER, text.substring(0, Math.max(slash, 0)), text.substring(slash + 1));
  }

  /** Two Secrets labelled app=web and one app=db, in a namespace labelled team=a. */
  private static final class Secrets implements RelatedResolver.Candidates {
    @Override
    public List<KubeObject> objects(ResourceType type, String namespace) {
      if (type.equals(ResourceType.core("namespaces"))) {
        return List.of(
            object("{'metadata':{'name':'synced','labels':{'team':'a'}}}"),
            object("{'metadata':{'name':'other','labels':{'team':'b'}}}"));
      }
      return namespace.equals("synced")
          ? List.of(
              object("{'metadata':{'name':'s-1','labels':{'app':'web'}}}"),
              object("{'metadata':{'name':'s-2','labels':{'app':'web'}}}"),
              object("{'metadata':{'name':'s-3','labels':{'app':'db'}}}"))
          : List.of();
    }
  }
}
