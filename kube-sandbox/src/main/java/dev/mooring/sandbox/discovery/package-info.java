/** What clients ask before they ask for objects: which resources there are and what they hold. */
package dev.mooring.sandbox.discovery;
