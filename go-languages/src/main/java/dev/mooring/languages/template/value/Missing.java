package dev.mooring.languages.template.value;

/**
 * What a field that does not exist evaluates to. Unlike a field that is null, it has fields: they
 * are missing, too.
 */
public enum Missing {
  VALUE
}
