/** Roles that are made of others. */
package dev.mooring.sandbox.controller.role;
