/**
 * Syncs the related objects of a primary: Secrets, ConfigMaps and others that {@code spec.related}
 * names.
 *
 * <pre>
 * which objects the entry names for this primary       RelatedCaches, RelatedResolver
 *    |
 * what is recorded of each copy, one Secret a copy     RelatedRecordStore, PendingCopies
 *    |
 * what the consumer shows; who else needs the object   PermissionClaims, Sharing
 *    |
 * gather, plan, at most one write, observe again       RelatedPass, RelatedReader,
 *                                                      RelatedPlanner, RelatedExecutor
 * </pre>
 */
package dev.mooring.syncagent.related;
