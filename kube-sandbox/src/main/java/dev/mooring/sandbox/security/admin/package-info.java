/** The administrators' tokens, users and kubeconfig. */
package dev.mooring.sandbox.security.admin;
