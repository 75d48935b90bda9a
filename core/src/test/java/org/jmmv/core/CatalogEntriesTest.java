package org.jmmv.core;

import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.ValueType;
import org.jmmv.reader.fault.Fault;
import org.jmmv.reader.fault.FaultKind;
import org.jmmv.reader.watch.CountedFault;
import org.jmmv.reader.watch.FileState;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a face can show of files and their faults. */
class CatalogEntriesTest {
  @TempDir Path directory;
  private Catalog catalog;

  private void open(Path path) {
    catalog = new Catalog(new CatalogOptions(path).faults(FaultListener.NONE));
    catalog.load();
  }

  @AfterEach
  void close() {
    catalog.close();
  }

  private void writeFaulty() {
    MmvWriter writer = new MmvWriter(2);
    writer.metric("good", 1, ValueType.I64).value(1);
    writer.metric("not valid", 2, ValueType.I64).value(1);
    writer.metric("not valid either", 3, ValueType.I64).value(1);
    writer.write(directory, "faulty");
  }

  private View view() {
    return catalog.begin(new Scope.NoFiles());
  }

  private CatalogEntry entry(String name) {
    return entries().get(name);
  }

  private Map<String, CatalogEntry> entries() {
    return view().entries(null, Integer.MAX_VALUE).stream()
        .collect(toMap(entry -> entry.status().name().name(), entry -> entry));
  }

  @Test
  void anEntryHasItsStateItsCountsAndItsFaults() throws Exception {
    writeFaulty();
    Files.writeString(directory.resolve("text"), "no MMV file".repeat(10));
    Files.writeString(directory.resolve(".hidden"), "");
    open(directory);
    assertEquals(3, entries().size());

    CatalogEntry faulty = entry("faulty");
    assertEquals(directory.toString(), faulty.status().name().directory());
    assertEquals(FileState.SERVED, faulty.state());
    assertEquals(List.of(1L, 3L), List.of(faulty.served(), faulty.metrics()));
    CountedFault counted = faulty.status().counted().getFirst();
    Fault fault = counted.fault();
    assertEquals(FaultKind.NAME_CHARACTERS, fault.kind());
    assertEquals(1, fault.place().index());
    assertEquals("the metric", fault.loss());
    assertFalse(fault.kind().advice().isEmpty());
    assertEquals(1, fault.more());
    assertEquals(1, counted.count());
    assertEquals(counted.first(), counted.last());

    assertEquals(FileState.REFUSED, entry("text").state());
    assertEquals(FaultKind.NOT_MMV, entry("text").status().counted().getFirst().fault().kind());
    assertEquals(List.of(), entry(".hidden").status().counted());
    assertEquals(FaultKind.HIDDEN, entry(".hidden").status().reasons().getFirst().kind());
  }

  @Test
  void entriesAreListedFromANameOn() throws Exception {
    writeFaulty();
    Files.createDirectory(directory.resolve("a"));
    Files.writeString(directory.resolve(".hidden"), "");
    Files.writeString(directory.resolve("text"), "no MMV file".repeat(10));
    Files.writeString(directory.resolve("z"), "");
    open(directory);
    List<String> names = new ArrayList<>();
    List<CatalogEntry> next = view().entries(null, 2);
    while (!next.isEmpty()) {
      next.forEach(entry -> names.add(entry.status().name().name()));
      next = view().entries(next.getLast().status().name(), 2);
    }
    assertEquals(List.of(".hidden", "a", "faulty", "text", "z"), names);
  }

  private InstanceDomain instances() {
    return view().instances(InDom.build(70, InDomAllocator.SERIAL_OF_FILES));
  }

  @Test
  void theInstancesOfFilesAreMadeAnewOnlyIfEntriesComeOrGo() throws Exception {
    writeFaulty();
    open(directory);
    assertEquals(1, instances().table().size());
    Object before;
    do { // the directory has changed just now, so it is still scanned
      before = instances().table().identity();
    } while (!before.equals(instances().table().identity()));
    Files.createSymbolicLink(directory.resolve("link"), Path.of("nothing"));
    while (instances().table().size() != 2) {
      Thread.onSpinWait();
    }
    Files.delete(directory.resolve("faulty"));
    while (instances().table().size() != 1) {
      Thread.onSpinWait();
    }
    assertEquals("link", instances().table().name(0));
  }

  @Test
  void aDirectoryHasFaultsToo() {
    open(directory.resolve("missing"));
    List<CountedFault> faults = view().directories().getFirst().faults();
    assertEquals(FaultKind.DIRECTORY_UNREADABLE, faults.getFirst().fault().kind());
    assertEquals(1, faults.size());
  }

  @Test
  void aFaultThatIsFoundAgainIsCounted() {
    writeFaulty();
    open(directory);
    writeFaulty(); // in another file
    CountedFault fault = entry("faulty").status().counted().getFirst();
    assertEquals(2, fault.count());
    assertFalse(fault.last().isBefore(fault.first()));
  }
}
