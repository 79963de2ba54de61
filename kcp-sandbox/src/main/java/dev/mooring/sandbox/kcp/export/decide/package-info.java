/** The next write for an APIExport or its endpoint slice; rules of APIResourceSchemas. */
package dev.mooring.sandbox.kcp.export.decide;
