package dev.mooring.sandbox.controller.gc;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.List;

/** One entry of {@code metadata.ownerReferences}. */
record OwnerReference(
    String apiVersion, String kind, String name, String uid, boolean blocksOwner) {
  static List<OwnerReference> of(KubeObject object) {
    return object.list("metadata", "ownerReferences").stream()
        .map(tree ->
            new OwnerReference(
                Trees.text(tree, "apiVersion"),
                Trees.text(tree, "kind"),
                Trees.text(tree, "name"),
                Trees.text(tree, "uid"),
                Boolean.TRUE.equals(Trees.at(tree, "blockOwnerDeletion"))))
        .toList();
  }
}
