package dev.mooring.sandbox.kcp.virtual;

import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.kcp.api.KcpApis;
import dev.mooring.sandbox.kcp.binding.BindingsByExport;
import dev.mooring.sandbox.kcp.binding.BoundResourceCatalog;
import dev.mooring.sandbox.kcp.bound.BindingIndex;
import dev.mooring.sandbox.kcp.export.ExportResolver;
import dev.mooring.sandbox.security.authorization.Authorizer;

/**
 * What every {@link ExportScope} needs.
 *
 * @param catalog of everything that is served
 * @param consumers of each export
 * @param authorizer with the check that the user may enter the workspace
 * @param rights without that check
 */
public record ExportScopeParts(
    ResourceCatalog catalog,
    KcpApis system,
    BoundResourceCatalog bound,
    BindingIndex bindings,
    BindingsByExport consumers,
    ExportResolver exports,
    Authorizer authorizer,
    Authorizer rights) {}
