package org.jmmv.qa;

import java.nio.file.Path;

/** A machine with PCP on which we are root: this one, or a container. */
interface Machine {

  /** Runs a command to its end, with nothing on standard input. */
  Shell.Result run(String... command);

  /** Where this directory of our machine is there; it is copied if that is another machine. */
  Path bring(Path directory);

  /** Starts PCP's example here, and lets its file be in this directory there. */
  Application startAcme(TemporaryPcp here, Path mmv);
}
