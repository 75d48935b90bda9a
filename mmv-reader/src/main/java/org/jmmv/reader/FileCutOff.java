package org.jmmv.reader;

/** A file was cut short while its values were read. What has been read of it is worth nothing. */
public final class FileCutOff extends Exception {
  private static final long serialVersionUID = 1;

  private final transient MmvFile file;

  FileCutOff(MmvFile file, MappingCutOff cause) {
    super(MmvFault.printable(file.name()) + ": " + cause.getMessage(), cause);
    this.file = file;
  }

  /** The file, to be {@linkplain MmvDirectory#drop dropped}. */
  public MmvFile file() {
    return file;
  }
}
