package dev.mooring.model.dependency;

import dev.mooring.model.identity.ObjectKey;

/** The object of a deletion. */
public record Target(GroupResource type, ObjectKey key) {

  /** Whether it lives in no namespace, and so may be referred to from any. */
  public boolean clusterScoped() {
    return key.namespace().isEmpty();
  }
}
