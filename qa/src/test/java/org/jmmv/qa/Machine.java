package org.jmmv.qa;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A machine with PCP on which the test is root: this one, or a container. What this build and its
 * tests consist of, and the directory for temporary files, have the same paths on both.
 */
interface Machine {

  /** Aborts the test unless the machine has what it needs. */
  void require(Need need);

  /** Runs a command with empty standard input and waits for it. */
  Shell.Result run(String... command);

  /**
   * Returns the command that runs another one there. Its standard input and output are those of the
   * command here; its environment there has these additions.
   */
  List<String> command(Map<String, String> environment, List<String> words);

  /** Returns the directory for temporary files. */
  Path temporary();

  /** Returns a directory for programs that are compiled there. */
  Path programs();
}
