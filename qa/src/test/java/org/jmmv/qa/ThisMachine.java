package org.jmmv.qa;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The machine on which the tests run. */
final class ThisMachine implements Machine {

  @Override
  public Shell.Result run(String... command) {
    return Shell.run(Map.of(), List.of(command));
  }

  @Override
  public Path bring(Path directory) {
    return directory;
  }

  @Override
  public Application startAcme(TemporaryPcp here, Path mmv) {
    return Application.startAcme(here.file("acme.err"), mmv);
  }
}
