/** Calls of the webhooks that decide on writes and convert objects. */
package dev.mooring.sandbox.webhook;
