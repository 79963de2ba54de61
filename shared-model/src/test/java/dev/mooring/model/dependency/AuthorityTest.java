package dev.mooring.model.dependency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.dependency.Authority.Denied;
import dev.mooring.model.dependency.Authority.Granted;
import dev.mooring.model.dependency.Authority.Reason;
import dev.mooring.model.dependency.Authority.Unknown;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuthorityTest {
  private static final ExportReading ABSENT = new ExportReading.Absent();
  private static final ExportReading FORBIDDEN = new ExportReading.Unreadable("403");
  private static final KubeObject COMPUTE =
      export("root:compute", "compute.example.com", "virtualmachines");
  private static final KubeObject NETWORK =
      export("root:providers:network", "network.example.com", "vpcs");

  @Test
  void isGrantedWhereBothTypesAreExported() {
    assertThat(judged(found(COMPUTE), found(NETWORK))).isEqualTo(new Granted());
  }

  @Test
  void isDeniedWithoutTheExportsOrTheTypesThatARuleNames() {
    assertThat(reason(ABSENT, found(NETWORK))).isEqualTo(Reason.DEPENDENT_EXPORT_NOT_FOUND);
    assertThat(reason(found(COMPUTE), ABSENT)).isEqualTo(Reason.TARGET_EXPORT_NOT_FOUND);
    assertThat(reason(found(NETWORK), found(NETWORK))).isEqualTo(Reason.DEPENDENT_NOT_EXPORTED);
    assertThat(reason(found(COMPUTE), found(COMPUTE))).isEqualTo(Reason.TARGET_NOT_EXPORTED);
    assertThat(reason(FORBIDDEN, ABSENT)).isEqualTo(Reason.TARGET_EXPORT_NOT_FOUND);
    assertThat(reason(ABSENT, FORBIDDEN)).isEqualTo(Reason.DEPENDENT_EXPORT_NOT_FOUND);
  }

  @Test
  void namesWhatIsMissingAndWhatToDoAboutIt() {
    KubeObject narrowed =
        NETWORK.with("root:a:b", "metadata", "annotations", ExportFacts.ALLOWED_DEPENDENTS);

    assertThat(message(ABSENT, found(NETWORK)))
        .isEqualTo(
            "the rule's workspace has no APIExport compute.example.com: create it there, or correct"
                + " spec.dependent.apiExportName");
    assertThat(message(found(NETWORK), found(NETWORK)))
        .isEqualTo(
            "APIExport compute.example.com does not export virtualmachines.compute.example.com:"
                + " correct spec.dependent's apiExportName, group or resource");
    assertThat(message(found(COMPUTE), ABSENT))
        .isEqualTo(
            "workspace root:providers:network has no APIExport network.example.com: correct"
                + " apiExportRef");
    assertThat(message(found(COMPUTE), found(COMPUTE)))
        .isEqualTo(
            "APIExport root:providers:network:network.example.com does not export"
                + " vpcs.network.example.com: correct apiExportRef, group or resource");
    assertThat(message(found(COMPUTE), found(narrowed)))
        .isEqualTo(
            "APIExport root:providers:network:network.example.com does not allow dependents of"
                + " root:compute:compute.example.com: its provider has to add that to annotation "
                + ExportFacts.ALLOWED_DEPENDENTS);
  }

  @Test
  void isNotTakenAwayByWhatCannotBeRead() {
    assertThat(judged(FORBIDDEN, found(NETWORK))).isEqualTo(new Unknown("403"));
    assertThat(judged(found(COMPUTE), FORBIDDEN)).isEqualTo(new Unknown("403"));
    assertThat(judged(FORBIDDEN, FORBIDDEN).counts()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "'root:compute:compute.example.com', true",
    "' root:a:x.example.com , root:compute:compute.example.com ', true",
    "'root:compute:other.example.com', false",
    "'root:other:compute.example.com', false",
    "'compute.example.com', false",
    "'', false"
  })
  void isNarrowedByTheTargetsProvider(String allowed, boolean counts) {
    KubeObject narrowed =
        NETWORK.with(allowed, "metadata", "annotations", ExportFacts.ALLOWED_DEPENDENTS);

    assertThat(judged(found(COMPUTE), found(narrowed)).counts()).isEqualTo(counts);
  }

  @Test
  void isUnknownWhereTheRulesOwnPathIs() {
    KubeObject narrowed =
        NETWORK.with("root:a:b", "metadata", "annotations", ExportFacts.ALLOWED_DEPENDENTS);

    assertThat(judged(FORBIDDEN, found(narrowed))).isInstanceOf(Unknown.class);
    assertThat(judged(found(COMPUTE.without("metadata", "annotations")), found(narrowed)))
        .isInstanceOf(Unknown.class);
  }

  @Test
  void coreTypesHaveToBeClaimed() {
    DependencyRule rule =
        rule(
            Rules.vmNeedsVpc()
                .with("", "spec", "dependent", "group")
                .with("v1", "spec", "dependent", "version")
                .with("configmaps", "spec", "dependent", "resource"));
    KubeObject claiming =
        COMPUTE.with(
            List.of(Map.of("group", "", "resource", "configmaps")), "spec", "permissionClaims");

    assertThat(Authority.overDependent(rule, found(claiming))).isEqualTo(new Granted());
    assertThat(Authority.overDependent(rule, found(COMPUTE)))
        .isInstanceOfSatisfying(
            Denied.class,
            denied -> assertThat(denied.message()).contains("does not claim configmaps"));
  }

  @Test
  void readsExportsOfTheOlderVersion() {
    KubeObject older =
        COMPUTE.with(
            Map.of("latestResourceSchemas", List.of("v1.virtualmachines.compute.example.com")),
            "spec");

    KubeObject newer =
        COMPUTE.with(
            List.of(
                Map.of(
                    "group",
                    "compute.example.com",
                    "name",
                    "virtualmachines",
                    "schema",
                    "v1.virtualmachines.compute.example.com")),
            "spec",
            "resources");

    assertThat(ExportFacts.of(older)).isEqualTo(ExportFacts.of(newer));
    assertThat(ExportFacts.of(older).schemas())
        .isEqualTo(
            Map.of(
                new GroupResource("compute.example.com", "virtualmachines"),
                "v1.virtualmachines.compute.example.com"));
  }

  private static Authority judged(ExportReading dependents, ExportReading targets) {
    DependencyRule rule = rule(Rules.vmNeedsVpc());
    return Authority.of(rule, rule.dependencies().getFirst(), dependents, targets);
  }

  private static String message(ExportReading dependents, ExportReading targets) {
    return ((Denied) judged(dependents, targets)).message();
  }

  private static Reason reason(ExportReading dependents, ExportReading targets) {
    return ((Denied) judged(dependents, targets)).reason();
  }

  private static DependencyRule rule(KubeObject object) {
    return ((RuleReading.Valid) DependencyRuleReader.read(object)).rule();
  }

  private static ExportReading found(KubeObject export) {
    return new ExportReading.Found(ExportFacts.of(export));
  }

  private static KubeObject export(String path, String group, String resource) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("name", group, "annotations", Map.of("kcp.io/path", path)),
            "spec",
            Map.of("resources", List.of(Map.of("group", group, "name", resource))),
            "status",
            Map.of("identityHash", "abc")));
  }
}
