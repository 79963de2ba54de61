/** CEL expressions in Kubernetes' dialect. */
package dev.mooring.languages.cel;
