package org.jmmv.core;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.PcpVersion;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.Limits;

/** What a {@link Catalog} is made of; its builder describes and sets it. */
class CatalogOptions {
  final Path directory;
  String root = "mmv";
  int domain = Pmid.MMV_DOMAIN;
  int pcpVersion = PcpVersion.LATEST;
  String version = "";
  boolean hasStatus = true;
  Optional<Path> clusters = Optional.empty();
  DebugOptions debug = new DebugOptions();
  FaultListener faults = new FaultLog();
  SettingsSource.Settings settings =
      new SettingsSource.Settings(Limits.DEFAULT, List.of(DirectorySettings.DEFAULT));
  SettingsSource source = _ -> null;
  PmcdFacts pmcdFacts;
  PmcdClients pmcdClients; // null: no pmcd.*

  CatalogOptions(Path directory) {
    this.directory = directory;
  }
}
