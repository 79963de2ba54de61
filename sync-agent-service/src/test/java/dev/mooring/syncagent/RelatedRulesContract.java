package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.published.PublishedResource;
import org.junit.jupiter.api.Test;

/** What the CRD of PublishedResources says of related entries, as the server applies it. */
abstract class RelatedRulesContract {
  private static final String THINGS = "group: example.com, resource: things, version: v1";

  /** The bench of the subclass, which has the CRD. */
  abstract PublishingBench bench();

  @Test
  void acceptsTheLegacyKindConfigMap() {
    accepts("origin: service, kind: ConfigMap");
  }

  @Test
  void acceptsCoreConfigMaps() {
    accepts("origin: service, resource: configmaps, version: v1");
  }

  @Test
  void acceptsGroupVersionAndResource() {
    accepts("origin: service, " + THINGS);
  }

  @Test
  void acceptsAnIdentityHashOfAFullType() {
    accepts("origin: service, identityHash: abc123, " + THINGS);
  }

  @Test
  void acceptsStatusOfServiceObjectsWithAWatch() {
    accepts(
        "origin: service, resource: things, version: v1, syncStatus: true, watch: {byOwner: {}}");
  }

  @Test
  void acceptsStatusOfKcpObjectsWithoutAWatch() {
    accepts("origin: kcp, resource: things, version: v1, syncStatus: true");
  }

  @Test
  void refusesTheKindService() {
    refuses("origin: service, kind: Service", "kind");
  }

  @Test
  void refusesAKindWithAGroup() {
    refuses("origin: service, kind: ConfigMap, group: core", "group needs resource and version");
  }

  @Test
  void refusesAKindWithAResource() {
    refuses("origin: service, kind: ConfigMap, resource: configmaps", "either kind");
  }

  @Test
  void refusesAKindWithAVersion() {
    refuses("origin: service, kind: ConfigMap, version: v1", "either kind");
  }

  @Test
  void refusesAKindWithAnIdentityHash() {
    refuses("origin: service, kind: ConfigMap, identityHash: abc123", "identityHash needs");
  }

  @Test
  void refusesAResourceWithoutAVersion() {
    refuses("origin: service, resource: configmaps", "set together");
  }

  @Test
  void refusesAGroupWithoutAResource() {
    refuses("origin: service, group: example.com, version: v1", "group needs");
  }

  @Test
  void refusesAGroupWithoutAVersion() {
    refuses("origin: service, group: example.com, resource: things", "group needs");
  }

  @Test
  void refusesAnIdentityHashWithoutAGroup() {
    refuses(
        "origin: service, resource: things, version: v1, identityHash: abc123",
        "identityHash needs");
  }

  @Test
  void refusesAnIdentityHashWithoutAResource() {
    refuses(
        "origin: service, group: example.com, version: v1, identityHash: abc123",
        "identityHash needs");
  }

  @Test
  void refusesAnIdentityHashWithoutAVersion() {
    refuses(
        "origin: service, group: example.com, resource: things, identityHash: abc123",
        "identityHash needs");
  }

  @Test
  void refusesStatusOfServiceObjectsWithoutAWatch() {
    refuses("origin: service, resource: things, version: v1, syncStatus: true", "needs watch");
  }

  @Test
  void refusesTwoKindsOfWatchAtOnce() {
    refuses(
        "origin: service, resource: things, version: v1, watch: {byOwner: {}, bySelector: {}}",
        "exactly one of byOwner and bySelector");
  }

  private void accepts(String related) {
    KubeObject created = bench().service().create(PublishedResource.TYPE, published(related));

    assertThat(created.list("spec", "related")).hasSize(1);
  }

  private void refuses(String related, String why) {
    assertThatThrownBy(() -> bench().service().create(PublishedResource.TYPE, published(related)))
        .isInstanceOfSatisfying(
            KubeFailure.class,
            failure -> assertThat(failure.kind()).isEqualTo(KubeFailure.Kind.INVALID))
        .hasMessageContaining(why);
  }

  private static KubeObject published(String related) {
    return TwoClusters.object(
        """
        apiVersion: syncagent.kcp.io/v1alpha1
        kind: PublishedResource
        metadata:
          generateName: related-
        spec:
          resource: {apiGroup: example.com, kind: Thing}
          related:
          - {identifier: one, object: {reference: {path: spec.name}}, %s}
        """,
        related);
  }
}
