package org.jmmv.core;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jmmv.core.BuiltInMetric.Kind;
import org.jmmv.core.BuiltInMetric.Value;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.InstanceTable;
import org.jmmv.pcp.KeyedHash;
import org.jmmv.pcp.Printable;
import org.jmmv.reader.fault.FileName;

/**
 * The instance domain "MMV files": an instance for each entry of the directories, as a request sees
 * them. It is built when a request asks for it and entries have come or gone, and costs others
 * nothing.
 *
 * <p>The number of an instance is a function of its name, so that it is the same after a restart
 * although nothing is saved: a {@linkplain KeyedHash#withoutKey hash} of 31 bits, or the next
 * number that no other entry has. An entry keeps its number while it is there. Two names have the
 * same hash with a probability of one to 2,147,483,648; then the one that is found later has the
 * next number, and that may be the other one after a restart.
 *
 * <p>The name of an instance is that of the entry, with the path of its directory if that is not
 * the first ({@link FileName}), in which blanks and bytes that are not printable are {@linkplain
 * Printable#word escaped}: PCP identifies an instance by its name up to the first blank.
 */
final class FileInDom implements BuiltInInDom {
  private final int id;
  private final String node;
  private final FileEntries files;
  private final HelpTexts texts;
  private List<FileName> names = List.of(); // of the entries of this version
  private InstanceTable table = InstanceTable.of(List.of()); // likewise, in the same order
  private long version = -1;

  /** The entries as one request sees them. */
  final class Entries extends InstanceDomain {
    private CatalogEntry[] found; // by index in the table; null: no values were asked for

    private CatalogEntry entry(int index) {
      if (found == null) {
        found = new CatalogEntry[table().size()];
      }
      if (found[index] == null) {
        found[index] = files.entry(names.get(index));
      }
      return found[index];
    }

    @Override
    public InstanceTable table() {
      update();
      return table;
    }

    @Override
    public String oneLine() {
      return texts.of(node).oneLine();
    }

    @Override
    public String help() {
      return texts.of(node).text();
    }
  }

  /**
   * Creates the instance domain.
   *
   * @param node the node above its metrics, by which {@code texts} knows it
   */
  FileInDom(int domain, String node, FileEntries files, HelpTexts texts) {
    id = InDom.build(domain, InDomAllocator.SERIAL_OF_FILES);
    this.node = node;
    this.files = files;
    this.texts = texts;
  }

  @Override
  public int id() {
    return id;
  }

  /** Makes the table anew if the entries have changed. It keeps none of the files. */
  private void update() {
    if (version != files.version()) {
      version = files.version();
      List<FileName> next = files.names();
      table = table(next);
      names = next;
    }
  }

  @Override
  public Entries at(RequestState request) {
    return (Entries) request.entries(Entries::new);
  }

  /** Returns the instances of entries. Those of the last version stay, each with its number. */
  private InstanceTable table(List<FileName> next) {
    Map<FileName, Integer> known = HashMap.newHashMap(names.size()); // indexes in the last table
    for (FileName name : names) {
      known.put(name, known.size());
    }
    IdMap<FileName> taken = new IdMap<>();
    for (FileName name : next) {
      if (known.containsKey(name)) {
        taken.put(table.number(known.get(name)), name);
      }
    }
    InstanceTable.Builder all = new InstanceTable.Builder();
    for (FileName name : next) {
      Integer index = known.get(name);
      if (index != null) {
        all.add(table.number(index), table.name(index));
      } else {
        String text = name.toString();
        int number = number(text, taken);
        taken.put(number, name);
        all.add(number, Printable.word(text));
      }
    }
    return all.build();
  }

  /** Returns the number of a new name. */
  static int number(String name, IdMap<?> taken) {
    int number = (int) KeyedHash.withoutKey(name) & Integer.MAX_VALUE;
    while (taken.get(number) != null) {
      number = number + 1 & Integer.MAX_VALUE;
    }
    return number;
  }

  /** Has a number of each entry. */
  Value numbers(Kind kind, ToLongFunction<CatalogEntry> value) {
    int[] instances = new int[1];
    long[] bits = new long[1];
    return (index, instance, sink, request) -> {
      instances[0] = instance;
      bits[0] = value.applyAsLong(at(request).entry(index));
      return sink.numbers(kind.type(), instances, bits, 1) == 1;
    };
  }

  /** Has a string of each entry. */
  Value texts(Function<CatalogEntry, String> value) {
    return (index, instance, sink, request) ->
        BuiltInMetric.pass(value.apply(at(request).entry(index)), instance, sink);
  }
}
