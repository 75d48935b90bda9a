package org.jmmv.pmda;

import java.nio.file.Path;
import java.util.List;
import java.util.logging.Logger;
import org.jmmv.pcp.DebugOptions;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.Budget;
import org.jmmv.reader.Limits;
import org.jmmv.reader.MmvDirectory;
import org.jmmv.reader.MmvFault;
import org.jmmv.reader.MmvFile;

/** The catalogue, and the directory that keeps it up to date. */
final class Agent implements MmvDirectory.Listener {
  private static final Logger LOG = Logger.getLogger(Agent.class.getName());

  /** PMCD_LABEL_CHANGE of pmapi.h. */
  private static final int LABELS_CHANGED = 0x08;

  /** PMCD_NAMES_CHANGE of pmapi.h. */
  private static final int NAMES_CHANGED = 0x10;

  private final DebugOptions debug;
  private final Catalog catalog;
  private final ControlMetrics control;
  private final Path path;
  private final MmvDirectory directory;
  private boolean asked;
  private int changes;
  private long request;

  /**
   * An agent that has not looked at any file yet.
   *
   * @param path the directory of the files
   * @param clusters the file that keeps the clusters which are dealt out
   */
  Agent(Path path, Path clusters, int domain, Limits limits, DebugOptions debug) {
    this.path = path;
    this.debug = debug;
    catalog = new Catalog(domain, ControlMetrics.NAMES, new ClusterMemory(clusters), this::fault);
    directory = new MmvDirectory(path, new Budget(limits), this);
    control = new ControlMetrics(catalog, directory::isInFlux, debug);
  }

  Catalog catalog() {
    return catalog;
  }

  ControlMetrics control() {
    return control;
  }

  DebugOptions debug() {
    return debug;
  }

  /** Fills the catalogue before the first request; to pmcd nothing that is there is a change. */
  void load() {
    directory.refreshAll();
  }

  /** Brings the catalogue up to date: before every request that has a reply. */
  void refresh() {
    request++;
    directory.refresh();
    asked = true;
  }

  /** Likewise, for a request that concerns all files. */
  void refreshAll() {
    request++;
    directory.refreshAll();
    asked = true;
  }

  /** Looks at the files that have a metric, which a request is for. */
  void check(int pmid) {
    ServedMetric metric = catalog.metric(pmid);
    if (metric != null) {
      check(metric.parts());
    }
  }

  /** Looks at the files that have a cluster, which a request is for. */
  void checkCluster(int pmid) {
    catalog.sources(Pmid.cluster(pmid)).forEach(this::check);
  }

  /** Looks at the files that have an instance domain, which a request is for. */
  void checkInDom(int inDom) {
    ServedInDom served = catalog.inDom(inDom);
    if (served != null) {
      check(served.parts());
    }
  }

  private void check(Parts<? extends Parts.Part> parts) {
    for (Parts.Part part : parts) {
      check(part.source());
    }
  }

  private void check(Source source) {
    if (source.checkedBy != request) {
      source.checkedBy = request;
      directory.check(source.file);
    }
  }

  /** A file's values could not be read. */
  void drop(MmvFile file) {
    directory.drop(file);
  }

  void reload() {
    directory.reload();
  }

  /** What has changed since pmcd was last told, as the flags that a RESULT carries. */
  int changes() {
    return changes;
  }

  /** Pmcd has been told. */
  void changesTold() {
    changes = 0;
  }

  @Override
  public void changed(MmvDirectory.Change change) {
    List<MmvFile> withdrawn = change.withdrawn();
    List<MmvFile> added = change.loaded();
    catalog.update(withdrawn, added);
    if (debug.appl0()) {
      withdrawn.forEach(file -> LOG.fine(MmvFault.printable(file.name()) + ": withdrawn"));
      added.forEach(file ->
          LOG.fine(
              MmvFault.printable(file.name())
                  + ": loaded, "
                  + file.schema().metrics().size()
                  + " metrics"));
    }
    if (asked) {
      changes |= NAMES_CHANGED;
      if (haveLabels(withdrawn) || haveLabels(added)) {
        changes |= LABELS_CHANGED;
      }
    }
  }

  private static boolean haveLabels(List<MmvFile> files) {
    for (MmvFile file : files) {
      if (!file.schema().labels().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void fault(MmvFault fault) {
    LOG.warning(fault.file().isEmpty() ? path + ": " + fault.reason() : fault.toString());
  }
}
