package org.jmmv.core;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvMetric;
import org.jmmv.reader.MmvSchema;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.fault.Faults;
import org.jmmv.reader.fault.FileName;
import org.jmmv.reader.fault.Place;
import org.jmmv.reader.watch.CountedFault;
import org.jmmv.reader.watch.DirectoryWatcher;

/**
 * Merges changes of the set of files into what all files offer together: assigns clusters and
 * instance domains, claims names, and finds the conflicts between files.
 *
 * <p>Files are added and withdrawn one by one; the others are not touched. The result is the same
 * as if all files had been added in the order of {@link FileName}, except for assigned clusters and
 * InDoms, which are kept.
 */
final class FileMerger {
  private final String root;
  private final int domain;
  private final FaultListener faults;
  private final DirectoryWatcher watcher;
  private final AssignedNumbers numbers;
  private final ClusterAllocator clusters;
  private final NameTree names;
  private final MergedFiles merged;
  private final Map<FileName, ServedFile> files = new HashMap<>();
  private final TreeMap<FileName, MmvFile> waiting = new TreeMap<>(); // for the end of the start

  /**
   * Creates an object without files.
   *
   * @param watcher keeps the faults of files
   */
  FileMerger(
      CatalogOptions with, DirectoryWatcher watcher, AssignedNumbers numbers, NameTree names) {
    root = with.root;
    domain = with.domain;
    faults = with.faults;
    this.watcher = watcher;
    this.numbers = numbers;
    clusters = numbers.clusters();
    this.names = names;
    merged = new MergedFiles(with, names);
  }

  Map<FileName, ServedFile> files() {
    return files;
  }

  MergedFiles merged() {
    return merged;
  }

  /**
   * Merges a change, and publishes the faults of the loaded files.
   *
   * @param withdrawn files that are no longer served
   * @param loaded files that are served from now on
   */
  void update(List<MmvFile> withdrawn, List<MmvFile> loaded) {
    List<ServedFile> out = new ArrayList<>();
    List<MmvFile> in = new ArrayList<>(loaded);
    for (MmvFile file : withdrawn) {
      waiting.remove(file.id(), file);
      clusters.leave(file.id().toString());
      ServedFile served = files.get(file.id());
      if (served != null && served.file == file) {
        files.remove(file.id());
        out.add(served);
        if (file.schema().header().cluster() != 0) {
          clusters.free(file.schema().header().cluster());
        }
      }
    }
    for (MmvFile file : loaded) {
      int cluster = file.schema().header().cluster();
      if (cluster != 0) {
        clusters.reserve(cluster);
        // a file with an assigned cluster is the only one in it
        ServedFile other = merged.filesOf(cluster).stream().findFirst().orElse(null);
        if (other != null
            && other.schema().header().cluster() == 0
            && files.remove(other.id()) != null) {
          faults.fault(Fault.of(FaultKind.CLUSTER_LOST, Place.of(other.id()), cluster, file.id()));
          out.add(other);
          in.add(other.file);
        }
      }
    }
    List<Claim> withdrawnClaims = new ArrayList<>();
    out.forEach(file -> remove(file, withdrawnClaims));
    List<Claim> addedClaims = new ArrayList<>();
    addAll(in, addedClaims);
    Map<FileName, Faults> conflicts = new TreeMap<>();
    names.update(
        withdrawnClaims,
        addedClaims,
        (claim, owner) ->
            addRefusal(
                claim, owner, conflicts.computeIfAbsent(claim.fileName(), _ -> new Faults())));
    Set<ServedFile> added = new LinkedHashSet<>();
    for (MmvFile file : in) {
      conflicts.computeIfAbsent(file.id(), _ -> new Faults());
      if (files.containsKey(file.id())) { // otherwise it waits
        added.add(files.get(file.id()));
      }
    }
    SharedPmids.find(merged, added, conflicts);
    conflicts.forEach((name, faults) -> {
      ServedFile file = files.get(name);
      if (file != null) { // otherwise it waits
        report(file, added.contains(file), faults);
      }
    });
  }

  /**
   * Returns the conflicts that a file has with others now. They are found anew only if names have
   * changed.
   */
  List<CountedFault> conflicts(ServedFile file) {
    return file.conflicts(
        names,
        () -> {
          Faults found = new Faults();
          boolean isAlone = merged.filesOf(file.cluster).size() == 1;
          for (MetricRecord claim : file.claims()) {
            if (!names.isFulfilled(claim)) {
              addRefusal(claim, names.owner(claim), found);
            }
            if (!isAlone) {
              SharedPmids.compare(claim, merged.metric(claim.pmid()).records().first(), found);
            }
          }
          Instant now = Instant.now();
          return found.list().stream().map(fault -> new CountedFault(fault, 1, now, now)).toList();
        });
  }

  /** Adds the files for which there was no cluster at the start, because others could arrive. */
  void endStart() {
    List<MmvFile> late = List.copyOf(waiting.values());
    waiting.clear();
    update(List.of(), late);
  }

  private void addAll(List<MmvFile> in, List<Claim> claims) {
    in.sort(Comparator.comparing(MmvFile::id));
    for (MmvFile file : in) {
      if (file.schema().header().cluster() == 0) {
        clusters.arrive(
            file.id().toString()); // before any cluster is assigned, which could be this file's
      }
    }
    for (MmvFile file : in) {
      int cluster =
          file.schema().header().cluster() != 0
              ? file.schema().header().cluster()
              : clusters.assign(file.id().toString());
      if (cluster == 0) {
        waiting.put(file.id(), file);
      } else {
        add(new ServedFile(file, cluster, watcher.isFirst(file)), claims);
      }
    }
  }

  /**
   * Logs the faults of a file, and how many of its metrics are served in spite of them.
   *
   * @param isAdded whether it was read; otherwise another file has conflicts with it
   * @param conflicts those that have just been found
   */
  private void report(ServedFile file, boolean isAdded, Faults conflicts) {
    MmvSchema schema = file.schema();
    List<Fault> found = isAdded ? with(schema, conflicts.list()) : conflicts.list();
    List<Fault> all = conflicts(file).stream().map(CountedFault::fault).toList();
    List<Fault> added = watcher.record(file.file, found, with(schema, all));
    added.forEach(this.faults::fault);
    long served = file.served(names);
    if (served < schema.metricEntries() && added.stream().anyMatch(Fault::leavesOut)) {
      this.faults.partlyServed(file.id(), served, schema.metricEntries());
    }
  }

  /** Returns the faults of a file, with conflicts. */
  private List<Fault> with(MmvSchema schema, List<Fault> conflicts) {
    List<Fault> all = new ArrayList<>(schema.faults());
    all.addAll(conflicts);
    long labels = merged.labels().leftOut(schema);
    if (labels > 0) {
      Fault fault = Fault.of(FaultKind.LABEL_OF_LATER_PCP, Place.of(schema.name()));
      all.add(fault.withMore((int) labels - 1));
    }
    return all;
  }

  private static void addRefusal(Claim claim, Claim owner, Faults to) {
    FaultKind kind =
        owner.name().equals(claim.name()) ? FaultKind.NAME_TAKEN : FaultKind.NAME_CONFLICTS;
    to.add(kind, () -> conflict(kind, claim, owner));
  }

  private static Fault conflict(FaultKind kind, Claim claim, Claim owner) {
    MmvMetric metric = ((MetricRecord) claim).metric(); // the agent's own claims come first
    Place place =
        new Place(claim.fileName(), Place.Section.METRICS, metric.index(), metric.offset());
    String by =
        !(owner instanceof MetricRecord other)
            ? "the agent itself"
            : owner.fileName().equals(claim.fileName())
                ? "metric[" + other.metric().index() + "]"
                : "file " + owner.fileName();
    return kind == FaultKind.NAME_TAKEN
        ? Fault.of(kind, place, claim.name(), by)
        : Fault.of(kind, place, claim.name(), owner.name(), by);
  }

  private void add(ServedFile file, List<Claim> claims) {
    files.put(file.id(), file);
    file.acquireInDoms(numbers.inDoms());
    file.claimNames(root, watcher.settings(file.id()).prefix(), domain);
    claims.addAll(file.claims());
    merged.add(file);
  }

  private void remove(ServedFile file, List<Claim> claims) {
    claims.addAll(file.claims());
    merged.remove(file);
    file.releaseInDoms(numbers.inDoms());
  }
}
