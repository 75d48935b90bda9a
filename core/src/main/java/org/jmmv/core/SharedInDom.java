package org.jmmv.core;

import java.util.function.Function;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.Labels;
import org.jmmv.reader.MmvInDom;

/**
 * An instance domain of files. Files that share a cluster may contribute instances to the same
 * instance domain. The instances are in byte order of the files' names.
 */
final class SharedInDom extends InstanceDomain {
  /** The contribution of one file. */
  record InDomRecord(ServedFile file, int index, MmvInDom inDom) implements FileRecord {}

  private final int id;
  private final LabelIndex labels;
  private final FileRecords<InDomRecord> records = new FileRecords<>();
  private InstanceTable table; // null after a change

  SharedInDom(int id, LabelIndex labels) {
    this.id = id;
    this.labels = labels;
  }

  void add(InDomRecord record) {
    records.add(record);
    table = null;
  }

  void remove(InDomRecord record) {
    records.remove(record);
    table = null;
  }

  FileRecords<InDomRecord> records() {
    return records;
  }

  @Override
  public InstanceTable table() {
    if (table == null) {
      table = records.second() == null ? records.first().inDom.instances() : merged();
    }
    return table;
  }

  /**
   * Returns the instances of all files. If a number occurs more than once, its first name counts.
   */
  private InstanceTable merged() {
    InstanceTable.Builder all = new InstanceTable.Builder();
    for (InDomRecord record : records) {
      record.inDom.instances().forEach(instance -> all.add(instance.number(), instance.name()));
    }
    return all.build();
  }

  @Override
  public boolean hasLabels() {
    return labels.areOfInstances(id);
  }

  @Override
  public Labels labels(int number) {
    // if all files have gone, another instance domain may have its identifier
    return records.isEmpty() ? null : labels.of(LabelType.INSTANCES, id, number);
  }

  /** Returns the line of the first file that has one. */
  @Override
  public String oneLine() {
    return firstText(MmvInDom::shortHelp);
  }

  /** Returns the text of the first file that has one. */
  @Override
  public String help() {
    return firstText(MmvInDom::longHelp);
  }

  private String firstText(Function<MmvInDom, String> text) {
    for (InDomRecord record : records) {
      String found = text.apply(record.inDom);
      if (found != null) {
        return found;
      }
    }
    return null;
  }
}
