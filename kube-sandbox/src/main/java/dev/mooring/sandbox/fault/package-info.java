/** What can go wrong between a client and a server, on request. */
package dev.mooring.sandbox.fault;
