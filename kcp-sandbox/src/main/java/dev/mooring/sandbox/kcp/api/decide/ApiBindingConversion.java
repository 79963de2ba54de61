package dev.mooring.sandbox.kcp.api.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kcp.api.decide.ClaimConversion.Form;
import dev.mooring.sandbox.kcp.object.decide.Annotations;
import java.util.List;

/** APIBindings between {@code v1alpha1} and {@code v1alpha2}, which is the stored version. */
public final class ApiBindingConversion {
  /**
   * A field that holds claims, and the two annotations that keep what a conversion cannot express.
   */
  private record Place(Form form, String newer, String older, String... path) {}

  private static final List<Place> PLACES =
      List.of(
          new Place(
              Form.ANSWERED,
              "apis.v1alpha2.kcp.io/acceptable-permission-claims",
              "apis.v1alpha2.kcp.io/v1alpha1-permission-claims",
              "spec",
              "permissionClaims"),
          new Place(
              Form.OFFERED,
              "apis.v1alpha2.kcp.io/status-export-permission-claims",
              "apis.v1alpha2.kcp.io/v1alpha1-status-export-permission-claims",
              "status",
              "exportPermissionClaims"),
          new Place(
              Form.SCOPED,
              "apis.v1alpha2.kcp.io/status-applied-permission-claims",
              "apis.v1alpha2.kcp.io/v1alpha1-status-applied-permission-claims",
              "status",
              "appliedPermissionClaims"));

  private ApiBindingConversion() {}

  /** To {@code v1alpha2}. */
  public static KubeObject upgrade(KubeObject binding) {
    KubeObject upgraded = binding.with(ApiExportConversion.V1ALPHA2, "apiVersion");
    for (Place place : PLACES) {
      List<Object> claims = binding.list(place.path);
      if (!claims.isEmpty()) {
        upgraded =
            upgraded.with(
                ClaimConversion.recalled(
                    binding,
                    place.newer,
                    ClaimConversion.upgraded(claims, place.form),
                    ClaimConversion::restoreScope),
                place.path);
      }
      upgraded = Annotations.without(upgraded, place.newer);
      // Only names of objects have no counterpart; "all" is the selector matchAll.
      upgraded =
          ClaimConversion.remembering(
              upgraded,
              place.older,
              claims,
              claim -> claim.containsKey("resourceSelector") || place.form == Form.OFFERED);
    }
    return upgraded;
  }

  /** To {@code v1alpha1}. */
  public static KubeObject downgrade(KubeObject binding) {
    KubeObject downgraded = binding.with(ApiExportConversion.V1ALPHA1, "apiVersion");
    for (Place place : PLACES) {
      List<Object> claims = binding.list(place.path);
      if (!claims.isEmpty()) {
        downgraded =
            downgraded.with(
                ClaimConversion.recalled(
                    binding,
                    place.older,
                    ClaimConversion.downgraded(claims, place.form),
                    ClaimConversion::restoreNames),
                place.path);
      }
      downgraded = Annotations.without(downgraded, place.older);
      downgraded =
          ClaimConversion.remembering(
              downgraded,
              place.newer,
              claims,
              claim -> !ClaimConversion.isPlain(claim, place.form));
    }
    return downgraded;
  }
}
