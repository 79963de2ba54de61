package dev.mooring.sandbox.kcp.api.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.api.decide.ClaimConversion.Field;
import dev.mooring.sandbox.kcp.api.decide.ClaimConversion.Form;
import java.util.List;

/** APIBindings between {@code v1alpha1} and {@code v1alpha2}, which is the stored version. */
public final class ApiBindingConversion {
  private static final List<Field> FIELDS =
      List.of(
          new Field(
              Form.ANSWERED,
              "apis.v1alpha2.kcp.io/acceptable-permission-claims",
              "apis.v1alpha2.kcp.io/v1alpha1-permission-claims",
              "spec",
              "permissionClaims"),
          new Field(
              Form.OFFERED,
              "apis.v1alpha2.kcp.io/status-export-permission-claims",
              "apis.v1alpha2.kcp.io/v1alpha1-status-export-permission-claims",
              "status",
              "exportPermissionClaims"),
          new Field(
              Form.SCOPED,
              "apis.v1alpha2.kcp.io/status-applied-permission-claims",
              "apis.v1alpha2.kcp.io/v1alpha1-status-applied-permission-claims",
              "status",
              "appliedPermissionClaims"));

  private ApiBindingConversion() {}

  /** To {@code v1alpha2}. */
  public static KubeObject upgrade(KubeObject binding) {
    KubeObject upgraded = binding.with(ApiExportConversion.V1ALPHA2, "apiVersion");
    for (Field field : FIELDS) {
      upgraded = field.upgrade(binding, upgraded);
    }
    return upgraded;
  }

  /** To {@code v1alpha1}. */
  public static KubeObject downgrade(KubeObject binding) {
    KubeObject downgraded = binding.with(ApiExportConversion.V1ALPHA1, "apiVersion");
    for (Field field : FIELDS) {
      downgraded = field.downgrade(binding, downgraded);
    }
    return downgraded;
  }
}
