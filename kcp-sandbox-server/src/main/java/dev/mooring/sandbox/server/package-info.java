/** The kcp-sandbox as a program: its command line. */
package dev.mooring.sandbox.server;
