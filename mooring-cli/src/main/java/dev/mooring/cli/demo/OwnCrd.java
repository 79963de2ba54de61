package dev.mooring.cli.demo;

import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.Manifests;
import dev.mooring.model.object.KubeObject;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a user brings.
 *
 * @param sample an object of the CRD; empty to have one made up
 */
record OwnCrd(KubeObject crd, Optional<KubeObject> sample) {
  /**
   * @param sampleFile null if there is none
   */
  static OwnCrd read(Path crdFile, Path sampleFile) {
    List<KubeObject> crds =
        Manifests.ofFile(crdFile).stream()
            .filter(object -> object.kind().equals("CustomResourceDefinition"))
            .toList();
    if (crds.size() != 1) {
      throw new HarnessFailure(
          crdFile + " holds " + crds.size() + " CustomResourceDefinitions; it should be one.");
    }
    Optional<KubeObject> sample =
        Optional.ofNullable(sampleFile).map(file -> Manifests.ofFile(file).getFirst());
    return new OwnCrd(crds.getFirst(), sample);
  }
}
