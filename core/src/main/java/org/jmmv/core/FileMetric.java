package org.jmmv.core;

import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jmmv.pcp.ValueSink;

/** A metric of the entries of the directory, {@code mmv.control.file.*}. */
abstract class FileMetric extends ControlMetric {
  /** A metric whose values are numbers. */
  static final class OfNumbers extends FileMetric {
    /** Stands for an entry without a value. */
    static final long NONE = Long.MIN_VALUE;

    private final ToLongFunction<FileInDom.Entry> value;
    private final int[] instance = new int[1];
    private final long[] bits = new long[1];

    OfNumbers(
        int domain,
        int item,
        String name,
        Kind kind,
        HelpTexts texts,
        FileInDom inDom,
        ToLongFunction<FileInDom.Entry> value) {
      super(domain, item, name, kind, texts, inDom);
      this.value = value;
    }

    @Override
    boolean read(FileInDom.Entry entry, ValueSink sink) {
      instance[0] = entry.number;
      bits[0] = value.applyAsLong(entry);
      if (bits[0] == NONE) {
        return false;
      }
      sink.numbers(type(), instance, bits, 1);
      return true;
    }
  }

  /** A metric whose values are strings. */
  static final class OfTexts extends FileMetric {
    private final Function<FileInDom.Entry, byte[]> value;

    OfTexts(
        int domain,
        int item,
        String name,
        Kind kind,
        HelpTexts texts,
        FileInDom inDom,
        Function<FileInDom.Entry, byte[]> value) {
      super(domain, item, name, kind, texts, inDom);
      this.value = value;
    }

    @Override
    boolean read(FileInDom.Entry entry, ValueSink sink) {
      byte[] text = value.apply(entry);
      sink.text(entry.number, text, 0, text.length);
      return true;
    }
  }

  private final FileInDom inDom;

  private FileMetric(
      int domain, int item, String name, Kind kind, HelpTexts texts, FileInDom inDom) {
    super(domain, item, name, kind, texts);
    this.inDom = inDom;
  }

  /** Passes the value of an entry to a sink. Returns whether it has one. */
  abstract boolean read(FileInDom.Entry entry, ValueSink sink);

  @Override
  public int inDom() {
    return inDom.id();
  }

  @Override
  public int maxValues(InstanceFilter filter) {
    int[] selected = inDom.selected(filter);
    return selected == null ? inDom.entries().size() : selected.length;
  }

  @Override
  public void read(InstanceFilter filter, ValueSink sink) {
    List<FileInDom.Entry> entries = inDom.entries();
    int[] selected = inDom.selected(filter);
    int count = selected == null ? entries.size() : selected.length;
    boolean any = false;
    for (int i = 0; i < count; i++) {
      any |= read(entries.get(selected == null ? i : selected[i]), sink);
    }
    if (!any) {
      sink.none(0);
    }
  }
}
