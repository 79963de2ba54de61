/** Authorization that another server decides. */
package dev.mooring.sandbox.security.webhook;
