/** Users, as RBAC and admission see them. */
package dev.mooring.sandbox.security.user;
