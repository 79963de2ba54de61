package dev.mooring.model.dependency;

/** Whether a dependent that is being deleted itself still counts. */
public enum WhileTerminating implements Named {
  /** It counts until it is gone. */
  BLOCK,
  /** It counts no more. */
  IGNORE
}
