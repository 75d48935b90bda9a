package org.jmmv.core;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.ValueSink;
import org.jmmv.reader.FileTruncated;
import org.jmmv.reader.MmvFile;
import org.jmmv.reader.MmvMetric;

/**
 * Reads the values of a single file, for tools that show what is in it. They have the meaning and
 * the order with which the agent serves them if no other file contributes to the same metrics.
 */
public final class FileValues {
  private final ServedFile file;
  private final RequestState request = new RequestState(new ValueReader(), new Selections());
  private final Map<Integer, InstanceTable> instances = new HashMap<>(); // by serial

  /** Creates a reader. The caller closes the file. */
  public FileValues(MmvFile file) {
    this.file = new ServedFile(file, file.schema().header().cluster(), true);
    file.schema().inDoms().forEach(inDom -> instances.put(inDom.serial(), inDom.instances()));
  }

  /**
   * Reads the current values of a metric.
   *
   * @param metric a metric of the file
   * @param sink receives the values, or the reason why there are none
   * @throws FileTruncated if the file was truncated; the sink may have received some values before
   */
  public void read(MmvMetric metric, ValueSink sink) throws FileTruncated {
    MetricRecord part = new MetricRecord(metric.name(), 0, file, metric, metric.index());
    ValuePlan plan =
        ValuePlan.of(
            metric.valueCount() > 0 ? List.of(part) : List.of(),
            metric.isSingular() ? null : instances.get(metric.serial()));
    request
        .reader()
        .read(plan, metric.type(), InstanceFilter.Selection.ALL, Turn.ENDLESS, sink, request);
  }
}
