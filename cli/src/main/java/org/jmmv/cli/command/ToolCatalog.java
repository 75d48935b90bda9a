package org.jmmv.cli.command;

import java.io.IOException;
import java.nio.file.Path;
import org.jmmv.config.Settings;
import org.jmmv.core.Catalog;
import org.jmmv.core.CatalogOptions;
import org.jmmv.core.FaultListener;
import org.jmmv.core.SettingsSource;
import org.jmmv.core.Turn;
import org.jmmv.posix.PosixDirectory;
import org.jmmv.posix.PosixProcess;
import org.jmmv.reader.watch.Limits;

/** Opens catalogues that show what the agent would serve now. */
public final class ToolCatalog {
  private ToolCatalog() {}

  /**
   * Fails if a directory can't be read. A catalogue waits for a directory that does not exist.
   *
   * @throws IOException with the path and the reason
   */
  public static void checkReadable(Path directory) throws IOException {
    try {
      new PosixDirectory(directory).list(0, _ -> false);
    } catch (IOException e) {
      throw new IOException(directory + ": " + e.getMessage(), e);
    }
  }

  /**
   * Opens a catalogue, and reads as many files as the agent does at a start. Faults are not logged.
   *
   * @param pcpVersion PCP's version, as from {@link org.jmmv.config.PcpConfig#version}
   * @param settings the directories, each with a path, and the limits and rules that apply
   */
  public static Catalog open(int pcpVersion, Settings settings) {
    Limits limits = settings.limits().within(PosixProcess.maxMappings());
    Catalog catalog =
        new Catalog(
            new CatalogOptions(settings.paths().getFirst())
                .pcpVersion(pcpVersion)
                .settings(new SettingsSource.Settings(limits, settings.directories()))
                .faults(FaultListener.NONE));
    catalog.load();
    return catalog;
  }

  /** Reads the files that still wait. */
  public static void catchUp(Catalog catalog) {
    while (catalog.hasBacklog()) {
      catalog.idle(Turn.ENDLESS);
    }
  }
}
