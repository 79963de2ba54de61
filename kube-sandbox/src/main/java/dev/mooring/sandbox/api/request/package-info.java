/** The scope of a request, and the answers that are not objects. */
package dev.mooring.sandbox.api.request;
