package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.schemaOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.lookup.LookupMethod;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Dependents whose schema declares the rule's field as selectable. */
abstract class SelectableFieldsContract extends OnWebhookEnvironment {
  private static final ResourceType DISKS =
      new ResourceType("storage.example.com", "v1alpha1", "disks");
  private static ConfigurableApplicationContext service;

  /** To be called before all tests. */
  static void enter(WebhookEnvironment landscape) throws Exception {
    land = landscape;
    WorkspacePath storage = land.workspaces.create("depwh-storage");
    land.bindDependencies(storage);
    land.export(
        storage,
        "storage.example.com",
        schemaOf(
                "disks.storage.example.com",
                "v1alpha1",
                "{type: object, properties: {ref: {type: object, properties: {name: {type:"
                    + " string}}}}}")
            + "    selectableFields: [{jsonPath: .spec.ref.name}]\n");
    land.bind(land.consumer, storage, "storage.example.com");
    land.usualRules();
    land.rule(storage, "disks-need", "", DISKS, "{path: .spec.ref.name}", "vpcs");
    service = land.serve(3);
    land.guard(service);
  }

  /** Whether the server selects by what a schema declares. */
  static boolean served() {
    var query = ListQuery.ALL.inNamespace("default").withFields("spec.ref.name=none");
    try {
      land.workspaces.client(land.consumer).list(DISKS, query);
      return true;
    } catch (KubeFailure failure) {
      if (failure.kind() == KubeFailure.Kind.INVALID) {
        return false;
      }
      throw failure;
    }
  }

  @Test
  void theServerPicksOutTheDependents() {
    land.create(VPCS, "default", "selected", "");
    land.create(DISKS, "default", "disk1", "selected");
    land.create(DISKS, "default", "disk2", "another");
    double before = selected();

    land.assertRefused(
        VPCS, "default", "selected", "cannot delete vpcs/selected: still referenced by Disk/disk1");
    assertThat(selected()).isGreaterThan(before);

    land.delete(DISKS, "default", "disk1");
    land.assertDeletable(VPCS, "default", "selected");
  }

  private static double selected() {
    return WebhookEnvironment.lookups(service, LookupMethod.SELECTOR);
  }
}
