/**
 * Syncs the related objects of a primary: Secrets, ConfigMaps and others that {@code spec.related}
 * names.
 *
 * <pre>
 * resolve   which objects the entry names for this primary       RelatedResolver, ReadSetIndex
 *    |
 * record    what is recorded of each copy, one Secret a copy     RelatedRecordStore, PendingCopies
 *    |
 * share     what the consumer shows; who else needs the object   PermissionClaims, Sharing
 *    |
 * sync      gather, plan, at most one write, observe again       RelatedPlanning, RelatedPlanner,
 *                                                                RelatedWriter, RelatedExecutor
 * </pre>
 *
 * Each package depends on those above it only, and keeps its pure part in {@code decide}.
 */
package dev.mooring.syncagent.related;
