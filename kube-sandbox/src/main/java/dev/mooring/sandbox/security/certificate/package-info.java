/** Certificate authorities and the identities that they sign. */
package dev.mooring.sandbox.security.certificate;
