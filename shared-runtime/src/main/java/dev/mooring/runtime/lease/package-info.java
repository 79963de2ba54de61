/** Leader election by a Lease. */
package dev.mooring.runtime.lease;
