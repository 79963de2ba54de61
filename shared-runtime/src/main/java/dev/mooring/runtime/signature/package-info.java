/** Keys that sign and check the URLs of admission reviews. */
package dev.mooring.runtime.signature;
