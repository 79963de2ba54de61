/** One HTTP request and its answer. */
package dev.mooring.sandbox.http.exchange;
