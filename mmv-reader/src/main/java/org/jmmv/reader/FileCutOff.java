package org.jmmv.reader;

/** A file was cut short while it was read: what was read of it is worth nothing. */
public final class FileCutOff extends Exception {
  private static final long serialVersionUID = 1;

  private final transient MmvFile file;

  FileCutOff(MmvFile file, InternalError cause) {
    super(MmvFault.printable(file.name()) + ": a part of the file can't be read", cause);
    this.file = file;
  }

  /** The file, to be {@linkplain MmvDirectory#drop dropped}. */
  public MmvFile file() {
    return file;
  }
}
