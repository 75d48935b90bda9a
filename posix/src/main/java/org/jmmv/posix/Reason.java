package org.jmmv.posix;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Says why a call failed in words, where the JDK has only the name of an exception. */
public final class Reason {
  private Reason() {}

  /** Returns the reason as strerror(3) has it, without the path of the file. */
  public static String of(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "No such file or directory";
      case AccessDeniedException _ -> "Permission denied";
      case FileAlreadyExistsException _ -> "File exists";
      case FileSystemException other when other.getReason() != null -> other.getReason();
      default -> e.getMessage();
    };
  }
}
