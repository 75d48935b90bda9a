package org.jmmv.replies;

import static org.jmmv.core.TestCatalog.pmid;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.List;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.PmError;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.PduType;
import org.jmmv.protocol.Profile;
import org.jmmv.testkit.MmvWriter;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RequestHandlerTest {
  @AutoClose private final ServiceTester tester = new ServiceTester();

  @BeforeEach
  void start() {
    tester.write("app", ServiceTester.file(1, 7));
  }

  // ---------------------------------------------------------------- the stream

  @Test
  void aReplyDoesNotWaitForTheNextRequestOfTheSameRead() {
    Fetch fetch = Fetch.of(0, 0, pmid(1, 1));
    assertEquals(
        List.of(1, 1),
        tester.repliesOfEachFlush(new DescReq(0, pmid(1, 1)), Profile.all(0, 0), fetch));
  }

  @Test
  void aReplyIsFromNobody() {
    assertEquals(0, tester.ask(new DescReq(12, pmid(1, 1))).from());
    assertEquals(0, tester.ask(new DescReq(12, pmid(9, 1))).from());
    assertEquals(0, tester.ask(Fetch.of(12, 3, pmid(1, 1))).from());
  }

  // ---------------------------------------------------------------- changes

  private int flags() {
    return tester.fetch(pmid(1, 1)).seconds();
  }

  private static MmvWriter labelled(int cluster) {
    return ServiceTester.file(cluster, 7).label(LabelType.CLUSTER, 0, 0, "{\"x\":1}");
  }

  @Test
  void theFirstLoadIsNoChange() {
    tester.write("b", labelled(2));

    assertEquals(0, flags());
    assertEquals(0, flags());
  }

  @Test
  void aChangeOfNamesIsReportedOnce() {
    assertEquals(0, flags());

    tester.write("b", ServiceTester.file(2, 8));
    assertEquals(0x10, flags());
    assertEquals(0, flags());

    tester.delete("b");
    assertEquals(0x10, flags());
    assertEquals(0, flags());
  }

  @Test
  void aChangeOfLabelsIsReportedOnce() {
    assertEquals(0, flags());

    tester.write("b", labelled(2));
    assertEquals(0x18, flags());
    assertEquals(0, flags());

    tester.delete("b");
    assertEquals(0x18, flags());
    assertEquals(0, flags());
  }

  @Test
  void aChangeIsReportedWithTheNextValues() {
    assertEquals(0, flags());
    tester.write("b", ServiceTester.file(2, 8));

    tester.ask(new DescReq(0, pmid(2, 1)));
    tester.assertError(PmError.PMID, new DescReq(0, pmid(3, 1)));
    tester.sendWords(12, PduType.FETCH.code(), 0);
    assertEquals(new PduError(0, PmError.IPC.code()), tester.read());

    assertEquals(0x10, tester.fetch(pmid(9, 9)).seconds());
    assertEquals(0, flags());
  }

  @Test
  void severalChangesAreReportedAtOnce() {
    assertEquals(0, flags());

    tester.write("b", labelled(2));
    tester.names();
    tester.write("c", ServiceTester.file(3, 8));
    tester.names();

    assertEquals(0x18, flags());
    assertEquals(0, flags());
  }

  @Test
  void aChangeOfAFileThatIsFetchedIsSeenInTheSameReply() {
    MmvWriter file = ServiceTester.file(2, 1);
    Path path = tester.write("b", file);
    assertEquals("1", tester.values(pmid(2, 1)));

    ServiceTester.file(2, 2).generation(99).rewrite(path);

    assertEquals("2", tester.values(pmid(2, 1)));
  }

  @Test
  void aFileInFluxIsNotServedUntilItIsDone() {
    MmvWriter file = ServiceTester.file(2, 1);
    Path path = tester.write("b", file);
    assertEquals("1", tester.values(pmid(2, 1)));

    MmvWriter.flux(path);
    assertEquals("PM_ERR_PMID", tester.values(pmid(2, 1)));
    tester.assertAlive();
    MmvWriter.settle(path, 99);
    tester.names();

    assertEquals("1", tester.values(pmid(2, 1)));
  }
}
