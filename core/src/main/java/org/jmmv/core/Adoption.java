package org.jmmv.core;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jmmv.pcp.Pmid;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvMetric;
import org.jmmv.reader.watch.Budget;
import org.jmmv.reader.watch.Change;
import org.jmmv.reader.watch.DirectoryWatcher;
import org.jmmv.reader.watch.Limits;
import org.jmmv.reader.watch.WorkBudget;

/**
 * Takes over the clusters that another agent, usually pmdammv(1), has assigned to files. Archives
 * can then be continued and merged when jmmv replaces that agent.
 */
public final class Adoption {
  /** A line of {@code pminfo -m}. The number of digits is that of the field. */
  private static final Pattern LINE =
      Pattern.compile("(\\S+) PMID: ([0-9]{1,3})\\.([0-9]{1,4})\\.([0-9]{1,4})");

  private Adoption() {}

  /**
   * Replaces the clusters that are remembered for files by those that the other agent has assigned
   * to them. What is remembered for files that do not exist stays, unless the other agent has
   * assigned the same cluster to an existing file. InDoms become those of pmdammv(1).
   *
   * @param pminfo the output of {@code pminfo -m} for the metrics of the other agent
   * @param root the first component of the names
   * @param domain the domain of the other agent's PMIDs; other lines are ignored
   * @param directory the directory of the MMV files
   * @param clusters the file that keeps assigned numbers across restarts
   * @param time how long to wait until the files are read
   * @return whether all files were read; if not, run it again to adopt the clusters of the others
   * @throws IOException if {@code pminfo} can't be read or {@code clusters} can't be written
   */
  public static boolean adopt(
      BufferedReader pminfo,
      String root,
      int domain,
      Path directory,
      Path clusters,
      Limits limits,
      Duration time)
      throws IOException {
    Map<String, Integer> pmids = pmids(pminfo, domain);
    SequencedMap<String, Integer> adopted = new LinkedHashMap<>();
    Set<Integer> taken = new HashSet<>();
    boolean isComplete;
    Budget budget = new Budget(limits);
    WorkBudget work = new WorkBudget(budget);
    try (DirectoryWatcher watcher = new DirectoryWatcher(directory, budget, work)) {
      for (MmvFile file : files(watcher, work, System.nanoTime() + time.toNanos()).values()) {
        if (file.schema().header().cluster() == 0) {
          file.schema().metrics().stream()
              .map(metric -> cluster(root, file, metric, pmids))
              .filter(cluster -> cluster != 0 && taken.add(cluster))
              .findFirst()
              .ifPresent(cluster -> adopted.put(file.id().name(), cluster));
        }
      }
      isComplete = !watcher.hasBacklog();
    }
    try (NumberMemory memory = new NumberMemory(clusters)) {
      SequencedMap<String, Integer> all = memory.load().clusters();
      all.values().removeAll(taken);
      all.keySet().removeAll(adopted.keySet());
      all.putAll(adopted);
      memory.write(new Numbers(all, Map.of()));
    }
    return isComplete;
  }

  /** Returns the other agent's cluster of a metric, or 0 if it does not serve the metric. */
  private static int cluster(
      String root, MmvFile file, MmvMetric metric, Map<String, Integer> pmids) {
    int pmid = pmids.getOrDefault(ServedFile.nameOf(root, "", file.schema(), metric), Pmid.NULL);
    return pmid != Pmid.NULL && Pmid.item(pmid) == metric.item() ? Pmid.cluster(pmid) : 0;
  }

  /**
   * Returns the files of a directory. Their faults are reported when they are served.
   *
   * @param end when it stops although there are more, as a time of {@link System#nanoTime}
   */
  private static SortedMap<String, MmvFile> files(
      DirectoryWatcher watcher, WorkBudget work, long end) {
    SortedMap<String, MmvFile> byName = new TreeMap<>();
    Change change;
    do {
      work.beginStart();
      do {
        change = watcher.poll();
        work.merge(
            change, merged -> merged.loaded().forEach(file -> byName.put(file.id().name(), file)));
      } while (change.hasMore());
    } while (watcher.hasBacklog() && System.nanoTime() - end < 0);
    return byName;
  }

  private static Map<String, Integer> pmids(BufferedReader pminfo, int domain) throws IOException {
    Map<String, Integer> pmids = new HashMap<>();
    for (String line = pminfo.readLine(); line != null; line = pminfo.readLine()) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches() && Integer.parseInt(matcher.group(2)) == domain) {
        int cluster = Integer.parseInt(matcher.group(3));
        int item = Integer.parseInt(matcher.group(4));
        pmids.put(matcher.group(1), Pmid.build(domain, cluster, item));
      }
    }
    return pmids;
  }
}
