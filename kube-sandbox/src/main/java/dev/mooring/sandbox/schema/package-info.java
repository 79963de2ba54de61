/**
 * Structural schemas: what a resource may contain, what is filled in, what is wrong with it. A pure
 * library on trees; the HTTP server, storage and CustomResourceDefinitions are unknown here.
 */
package dev.mooring.sandbox.schema;
