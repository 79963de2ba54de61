package dev.mooring.sandbox.security.authorization;

import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;

/** Decides what users may do. Asked on every request; thread-safe. */
@FunctionalInterface
public interface Authorizer {
  Decision authorize(AuthorizationAttributes attributes);
}
