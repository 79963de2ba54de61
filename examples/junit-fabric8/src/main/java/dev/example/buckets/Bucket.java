package dev.example.buckets;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** What consumers ask for. */
@Group("storage.example.dev")
@Version("v1")
public class Bucket extends CustomResource<Bucket.Spec, Bucket.Status> implements Namespaced {
  public record Spec(String region) {}

  public record Status(String endpoint) {}
}
