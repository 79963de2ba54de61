/**
 * What makes the server kcp. {@link dev.mooring.sandbox.kcp.Kcp} assembles the packages below it:
 *
 * <pre>
 *   bootstrap   virtual
 *       |          |
 *       |       binding      APIBindings, bound resources
 *       |          |
 *       |       export       APIExports, schemas, endpoint slices
 *       |       /      \
 *     workspace  api   claim
 *       |         \    /
 *     shard       object     resources, names, reads and writes
 * </pre>
 *
 * Each package gathers facts from the store, its {@code decide} package computes the next write
 * from them, and one preconditioned write follows.
 */
package dev.mooring.sandbox.kcp;
