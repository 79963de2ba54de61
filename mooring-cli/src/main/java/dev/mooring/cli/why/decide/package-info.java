/** What keeps an object from being synced, or from being deleted: decided on gathered facts. */
package dev.mooring.cli.why.decide;
