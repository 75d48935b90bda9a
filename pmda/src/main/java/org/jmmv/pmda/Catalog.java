package org.jmmv.pmda;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.MmvFault;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvInDom;
import org.jmmv.reader.MmvMetric;
import org.jmmv.reader.MmvSchema;

/**
 * What the files offer: names, metrics, instance domains and labels.
 *
 * <p>A file is added or withdrawn by itself. The result is that of adding all files afresh, in byte
 * order of their names, but for the clusters that were dealt out.
 */
final class Catalog {
  /** The root of all names. */
  static final String ROOT = "mmv";

  private final int domain;
  private final Consumer<MmvFault> faults;
  private final NameSpace names = new NameSpace();
  private final ClusterMemory memory;
  private final ClusterAllocator clusters;
  private final LabelIndex labels = new LabelIndex();
  private final TreeMap<String, Source> sources = new TreeMap<>();
  private final IdMap<List<Source>> byCluster = new IdMap<>();
  private final List<MmvFile> withoutCluster = new ArrayList<>();
  private final IdMap<ServedMetric> metrics = new IdMap<>();
  private final IdMap<ServedInDom> inDoms = new IdMap<>();

  /**
   * A catalogue without files.
   *
   * @param own the names of the agent's own metrics, in the order of their items in cluster 0
   * @param memory keeps the clusters that are dealt out
   * @param faults told of what a file asks for in vain
   */
  Catalog(int domain, List<String> own, ClusterMemory memory, Consumer<MmvFault> faults) {
    this.domain = domain;
    this.memory = memory;
    clusters = new ClusterAllocator(memory.load());
    this.faults = faults;
    List<NameSpace.Claim> claims = new ArrayList<>();
    for (int item = 0; item < own.size(); item++) {
      claims.add(new NameSpace.Claim(own.get(item), Pmid.build(domain, 0, item), "", item));
    }
    names.update(List.of(), claims, _ -> {});
  }

  /** The serial of an instance domain: pmdammv(1) has it so, cut to the 22 bits that there are. */
  static int serial(int cluster, int serial) {
    return (cluster << 11 | serial) & 0x3fffff;
  }

  /** Takes files away and adds others. */
  void update(List<MmvFile> withdrawn, List<MmvFile> loaded) {
    List<Source> out = new ArrayList<>();
    List<MmvFile> in = new ArrayList<>(loaded);
    for (MmvFile file : withdrawn) {
      Source source = sources.get(file.name());
      if (source != null && source.file == file) {
        sources.remove(file.name());
        out.add(source);
        if (file.schema().cluster() != 0) {
          clusters.free(file.schema().cluster());
        }
      }
    }
    for (MmvFile file : loaded) {
      int cluster = file.schema().cluster();
      if (cluster != 0) {
        clusters.reserve(cluster);
        for (Source source : sources(cluster)) {
          if (source.schema().cluster() == 0 && sources.remove(source.name()) != null) {
            faults.accept(
                new MmvFault(
                    source.name(),
                    "",
                    0,
                    "cluster " + cluster + " is now another file's, it gets a new one"));
            out.add(source);
            in.add(source.file);
          }
        }
      }
    }

    List<NameSpace.Claim> withdrawnClaims = new ArrayList<>();
    out.forEach(source -> remove(source, withdrawnClaims));
    List<NameSpace.Claim> addedClaims = new ArrayList<>();
    withoutCluster.removeAll(Set.copyOf(withdrawn));
    Set<MmvFile> waited = Set.copyOf(withoutCluster);
    withoutCluster.clear();
    in.addAll(waited);
    in.sort((one, other) -> one.name().compareTo(other.name()));
    boolean forgotten = false;
    for (MmvFile file : in) {
      int cluster =
          file.schema().cluster() != 0 ? file.schema().cluster() : clusters.deal(file.name());
      if (cluster == 0 && !forgotten) {
        forgotten = true;
        forgetAllBut(in);
        cluster = clusters.deal(file.name());
      }
      if (cluster != 0) {
        add(new Source(file, cluster), addedClaims);
        continue;
      }
      withoutCluster.add(file);
      if (!waited.contains(file)) {
        faults.accept(new MmvFault(file.name(), "", 0, "all clusters are in use, file left out"));
      }
    }
    names.update(withdrawnClaims, addedClaims, this::refused);
    if (clusters.hasChanged()) {
      memory.save(clusters.dealt());
    }
  }

  private void refused(NameSpace.Claim claim) {
    for (ServedMetric.Part part : metrics.get(claim.pmid()).parts()) {
      if (part.claim().equals(claim)) {
        faults.accept(
            new MmvFault(
                claim.file(),
                "metric[" + part.metric().index() + "]",
                part.metric().offset(),
                claim.name() + " is another metric's name or part of it, left out"));
      }
    }
  }

  /** Makes the numbers of files that have gone free, but keeps those of files yet to be added. */
  private void forgetAllBut(List<MmvFile> arriving) {
    Set<String> present =
        arriving.stream().map(MmvFile::name).collect(Collectors.toCollection(HashSet::new));
    present.addAll(sources.keySet());
    clusters.forget(name -> !present.contains(name));
  }

  private void add(Source source, List<NameSpace.Claim> claims) {
    sources.put(source.name(), source);
    byCluster.get(source.cluster, () -> new ArrayList<>(1)).add(source);
    MmvSchema schema = source.schema();
    String prefix =
        schema.has(MmvSchema.FLAG_NOPREFIX) ? ROOT + '.' : ROOT + '.' + source.name() + '.';
    int index = 0;
    for (MmvMetric metric : schema.metrics()) {
      int pmid = Pmid.build(domain, source.cluster, metric.item());
      NameSpace.Claim claim =
          new NameSpace.Claim(prefix + metric.name(), pmid, source.name(), index++);
      claims.add(claim);
      metrics.get(pmid, ServedMetric::new).add(new ServedMetric.Part(source, metric, claim));
    }
    index = 0;
    for (MmvInDom inDom : schema.inDoms()) {
      inDoms
          .get(inDomOf(source, inDom.serial()), ServedInDom::new)
          .add(new ServedInDom.Part(source, index++, inDom));
    }
    labels.add(source);
  }

  private void remove(Source source, List<NameSpace.Claim> claims) {
    byCluster.get(source.cluster).remove(source);
    MmvSchema schema = source.schema();
    for (MmvMetric metric : schema.metrics()) {
      int pmid = Pmid.build(domain, source.cluster, metric.item());
      ServedMetric served = metrics.get(pmid);
      if (served != null) {
        for (ServedMetric.Part part : served.parts()) {
          if (part.source() == source) {
            claims.add(part.claim());
          }
        }
        served.remove(source);
        if (served.parts().isEmpty()) {
          metrics.remove(pmid);
        }
      }
    }
    for (MmvInDom inDom : schema.inDoms()) {
      int id = inDomOf(source, inDom.serial());
      ServedInDom served = inDoms.get(id);
      if (served != null) {
        served.remove(source);
        if (served.parts().isEmpty()) {
          inDoms.remove(id);
        }
      }
    }
    labels.remove(source);
  }

  private int inDomOf(Source source, int serial) {
    return InDom.build(domain, serial(source.cluster, serial));
  }

  /** The instance domain of a metric: {@link InDom#NULL} for a singular one. */
  int inDomOf(ServedMetric.Part part) {
    return part.metric().isSingular() ? InDom.NULL : inDomOf(part.source(), part.metric().serial());
  }

  int domain() {
    return domain;
  }

  NameSpace names() {
    return names;
  }

  LabelIndex labels() {
    return labels;
  }

  /** The metric of a PMID, or null; it may have no name, then it is not served. */
  ServedMetric metric(int pmid) {
    return metrics.get(pmid);
  }

  /** An instance domain, or null. */
  ServedInDom inDom(int inDom) {
    return inDoms.get(inDom);
  }

  /** How many files are served. */
  int fileCount() {
    return sources.size();
  }

  /** The files that have a cluster at the moment. */
  List<Source> sources(int cluster) {
    List<Source> found = byCluster.get(cluster);
    return found == null ? List.of() : List.copyOf(found);
  }
}
