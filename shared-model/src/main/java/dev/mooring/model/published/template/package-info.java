/** The part of Go's text/template that naming and related resources need, with its semantics. */
package dev.mooring.model.published.template;
