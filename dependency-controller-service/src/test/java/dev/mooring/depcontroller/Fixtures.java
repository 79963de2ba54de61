package dev.mooring.depcontroller;

import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRule.Dependency;
import dev.mooring.model.dependency.DependencyRule.Dependent;
import dev.mooring.model.dependency.DependencyRule.ExportReference;
import dev.mooring.model.dependency.FieldPath;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import java.util.List;

/** Rules of a compute provider about VPCs and the like of network providers. */
public final class Fixtures {
  private Fixtures() {}

  public static DependencyRule rule(String name, Dependency... dependencies) {
    return new DependencyRule(
        new ObjectKey(new LogicalCluster("compute1"), "", name),
        4,
        new Dependent(
            "compute.example.com",
            new ResourceType("compute.example.com", "v1alpha1", "virtualmachines"),
            "VirtualMachine"),
        List.of(dependencies));
  }

  /** On a resource of {@code network.example.com/v1alpha1} in the workspace. */
  public static Dependency on(String path, String resource) {
    return new Dependency(
        new ExportReference(new WorkspacePath(path), "network.example.com"),
        new ResourceType("network.example.com", "v1alpha1", resource),
        new FieldPath(".spec.ref.name"));
  }
}
