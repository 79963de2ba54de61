package dev.mooring.sandbox.api.validation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Complaints about one object, in the order in which they were found. Not thread-safe. */
public final class FieldErrors extends ArrayList<FieldError> {
  private static final long serialVersionUID = 1L;

  public FieldErrors() {}

  public FieldErrors(Collection<FieldError> found) {
    super(found);
  }

  public void required(String field, String detail) {
    add(FieldError.required(field, detail));
  }

  public void invalid(String field, @Nullable Object value, String detail) {
    add(FieldError.invalid(field, value, detail));
  }

  public void forbidden(String field, String detail) {
    add(FieldError.forbidden(field, detail));
  }

  public void duplicate(String field, @Nullable Object value) {
    add(FieldError.duplicate(field, value));
  }

  public void notSupported(String field, @Nullable Object value, List<String> supported) {
    add(FieldError.notSupported(field, value, supported));
  }
}
