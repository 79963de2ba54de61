package dev.mooring.sandbox.kcp;

import dev.mooring.sandbox.api.ResourceCatalog;
import dev.mooring.sandbox.security.Authorizer;

/**
 * What every view of an export needs.
 *
 * @param catalog of everything that is served
 * @param authorizer with the check that the user may enter the workspace
 */
record ExportViewParts(
    ResourceCatalog catalog,
    KcpApis system,
    BoundApis bound,
    BindingIndex bindings,
    ExportsByIdentity exports,
    Authorizer authorizer) {}
