/** Whether a user may do what a request asks for. */
package dev.mooring.sandbox.security.authorization;
