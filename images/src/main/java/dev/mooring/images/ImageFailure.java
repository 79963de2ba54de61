package dev.mooring.images;

/** An image cannot be built; the message says why and what to do. */
final class ImageFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ImageFailure(String message) {
    super(message);
  }
}
