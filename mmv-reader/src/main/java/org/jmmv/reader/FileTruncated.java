package org.jmmv.reader;

/**
 * Thrown if values can't be read, because the file was truncated or its application rewrites it.
 * The values read before are invalid.
 */
public final class FileTruncated extends Exception {
  private static final long serialVersionUID = 1;

  private final transient MmvFile file;

  /** An exception without a stack trace: a fetch may cause one for each metric of a file. */
  FileTruncated(MmvFile file) {
    super("truncated or rewritten while its values were read", null, false, false);
    this.file = file;
  }

  /**
   * Returns the file. The catcher passes it to {@link
   * org.jmmv.reader.watch.DirectoryWatcher#withdraw}.
   */
  public MmvFile file() {
    return file;
  }
}
