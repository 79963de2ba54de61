/** From credentials to users, and impersonation. */
package dev.mooring.sandbox.security.authentication;
