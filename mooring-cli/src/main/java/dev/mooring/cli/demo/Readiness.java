package dev.mooring.cli.demo;

/** Waits for the states of a provider's objects that more than one chapter builds on. */
final class Readiness {
  private Readiness() {}

  static void awaitIdentity(Kubectl kubectl, ClusterClient provider, String export) {
    kubectl.await(
        provider,
        Types.API_EXPORTS,
        "",
        export,
        "has an identity",
        found -> !found.text("status", "identityHash").isEmpty(),
        found -> "identityHash: " + found.text("status", "identityHash"));
  }

  static void awaitEstablished(Kubectl kubectl, ClusterClient cluster, String crd) {
    kubectl.await(
        cluster,
        Types.CRDS,
        "",
        crd,
        "is established",
        found -> found.hasCondition("Established"),
        found -> "Established: True");
  }
}
