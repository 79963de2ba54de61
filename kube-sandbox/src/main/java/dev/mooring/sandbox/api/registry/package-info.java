/** What each logical cluster serves: definitions of resources, and catalogs of them. */
package dev.mooring.sandbox.api.registry;
