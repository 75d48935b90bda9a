package org.jmmv.core;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.PcpVersion;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.watch.DirectorySettings;
import org.jmmv.reader.watch.Limits;

/** What a {@link Catalog} is made of. What is not set has its default. */
public final class CatalogOptions {
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

  /**
   * Creates options.
   *
   * @param directory the directory of the MMV files, unless the settings name others; it need not
   *     exist
   */
  public CatalogOptions(Path directory) {
    this.directory = directory;
  }

  /** Sets the first component of all names; {@code mmv} by default, as pmdammv(1) has it. */
  public CatalogOptions root(String name) {
    root = name;
    return this;
  }

  /** Sets the domain of all PMIDs and instance domains, 1 to 510; 70 by default. */
  public CatalogOptions domain(int number) {
    domain = number;
    return this;
  }

  /**
   * Sets PCP's version, which decides what {@code mmv.control} has and which names labels may have.
   *
   * @param number the major version times 100, and the minor version; 702 by default
   */
  public CatalogOptions pcpVersion(int number) {
    pcpVersion = number;
    return this;
  }

  /** Sets the version of this program; an empty text by default. */
  public CatalogOptions version(String text) {
    version = text;
    return this;
  }

  /**
   * Leaves out {@code mmv.control.file} and {@code mmv.control.agent}, which pmdammv(1) does not
   * have, if the argument is false.
   */
  public CatalogOptions status(boolean isServed) {
    hasStatus = isServed;
    return this;
  }

  /**
   * Sets the file that keeps assigned numbers across restarts, which need not exist; by default
   * they are not kept.
   */
  public CatalogOptions clusters(Optional<Path> file) {
    clusters = file;
    return this;
  }

  /** Sets the debug options; {@code mmv.control.debug} shows and sets them. */
  public CatalogOptions debug(DebugOptions options) {
    debug = options;
    return this;
  }

  /** Sets the receiver of the faults of files; by default they are logged. */
  public CatalogOptions faults(FaultListener listener) {
    faults = listener;
    return this;
  }

  /** Sets limits and directories; by default the default limits and the one directory. */
  public CatalogOptions settings(SettingsSource.Settings first) {
    settings = first;
    return this;
  }

  /**
   * Sets where later settings come from; by default there are none.
   *
   * @param later is asked at the beginning of each request, and of each reload
   */
  public CatalogOptions source(SettingsSource later) {
    source = later;
    return this;
  }

  /**
   * Adds {@code pmcd.*}, which clients ask a collector for.
   *
   * @param clients the clients, which the caller keeps up to date
   */
  public CatalogOptions pmcd(PmcdFacts facts, PmcdClients clients) {
    pmcdFacts = facts;
    pmcdClients = clients;
    return this;
  }
}
