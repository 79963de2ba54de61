/** The endpoints of objects: get, list, watch and the writes. */
package dev.mooring.sandbox.http.resource;
