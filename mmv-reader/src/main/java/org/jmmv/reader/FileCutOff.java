package org.jmmv.reader;

/**
 * Thrown if values can't be read, because the file was truncated or its application rewrites it.
 * The values read before are invalid.
 */
public final class FileCutOff extends Exception {
  private static final long serialVersionUID = 1;

  private final transient MmvFile file;

  FileCutOff(MmvFile file, MappingCutOff cause) {
    super(
        MmvFault.printable(file.name())
            + ": "
            + (cause == null ? "its values can't be read any more" : cause.getMessage()),
        cause);
    this.file = file;
  }

  /** Returns the file. The catcher passes it to {@link MmvDirectory#drop}. */
  public MmvFile file() {
    return file;
  }
}
