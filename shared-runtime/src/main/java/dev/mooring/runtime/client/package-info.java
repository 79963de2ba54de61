/** Requests to one API server: get, list, watch, create, update, patch, delete. */
package dev.mooring.runtime.client;
