package org.jmmv.qa;

import java.nio.file.Path;

/** A machine with PCP on which the test is root: this one, or a container. */
interface Machine {

  /** Runs a command with empty standard input and waits for it. */
  Shell.Result run(String... command);

  /** Copies a directory to the machine if needed, and returns its path there. */
  Path bring(Path directory);

  /** Starts PCP's example acme here, with its file in a directory there. */
  Application startAcme(TemporaryPcp here, Path mmv);
}
