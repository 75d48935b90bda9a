package org.jmmv.core;

import static org.jmmv.core.TestCatalog.inDom;
import static org.jmmv.core.TestCatalog.pmid;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.jmmv.pcp.InDom;
import org.jmmv.pcp.LabelType;
import org.jmmv.pcp.ValueType;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a file says of its metrics and instance domains. */
class DescriptorsTest {
  private static final int UNITS = TestCatalog.UNITS;

  @AutoClose private final TestCatalog catalog = new TestCatalog();

  @BeforeEach
  void start() {
    catalog.write("app", TestCatalog.describedFile());
  }

  private static final int SINGULAR = InDom.NULL;
  private static final int OF_IN_DOM = 70 << 22 | 1 << 11 | 3;

  /** An elapsed time is a counter of microseconds, whatever the file says. */
  @ParameterizedTest
  @CsvSource({
    "1," + ValueType.U64 + "," + SINGULAR + ",4," + UNITS + ",one line,'a text\nof lines'",
    "2," + ValueType.STRING + "," + OF_IN_DOM + ",1,0,,only a text",
    "3," + ValueType.I64 + "," + SINGULAR + ",1," + 0x01001000 + ",only,",
    "4," + ValueType.NOSUPPORT + "," + SINGULAR + ",1,0,'',''",
    "5,77," + SINGULAR + ",99,0,,"
  })
  void aMetricIsDescribedAsInItsFile(
      int item, int type, int inDom, int semantics, int units, String oneLine, String help) {
    Metric metric = catalog.metric(pmid(1, item));
    assertEquals(
        List.of(type, inDom, semantics, units),
        List.of(metric.type(), metric.inDom(), metric.semantics(), metric.units()));
    assertEquals(oneLine, metric.oneLine());
    assertEquals(help, metric.help());
  }

  @ParameterizedTest
  @ValueSource(
      ints = {-1, 0, 70 << 22 | 4, 70 << 22 | 1 << 10, 70 << 22 | 2 << 10 | 1, 1 << 10 | 1})
  void otherPmidsAreUnknown(int pmid) {
    assertNull(catalog.metric(pmid));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 70 << 22 | 1 << 11 | 4, 71 << 22 | 1 << 11 | 3})
  void otherInstanceDomainsAreUnknown(int inDom) {
    assertNull(catalog.inDom(inDom));
  }

  @Test
  void instancesAreInTheOrderOfTheFile() {
    assertEquals("4=1 minute 0=5 minute -7=whole 5=1", catalog.instances(inDom(1, 3)));
    InstanceDomain inDom = catalog.inDom(inDom(1, 3));
    assertEquals("an InDom", inDom.oneLine());
    assertEquals("a text of an InDom", inDom.help());
    assertEquals(2, inDom.table().indexOf(-7));
    assertEquals(-1, inDom.table().indexOf(1));
    assertEquals(0, catalog.inDom(inDom(1, 6)).table().size());
    assertNull(catalog.inDom(inDom(1, 6)).oneLine());
  }

  @ParameterizedTest
  @CsvSource({
    "5 minute,1",
    "5,1",
    "whole,2",
    "1 minute,0",
    "1,0",
    "minute,-1",
    "'5 ',-1",
    "5 min,-1",
    "WHOLE,-1",
    "who,-1",
    "' ',-1",
    "'5 minute ',-1"
  })
  void anInstanceIsFoundByItsNameOrItsFirstWord(String name, int index) {
    assertEquals(index, catalog.inDom(inDom(1, 3)).table().indexOf(name));
  }

  @Test
  void labelsAreThoseOfTheFile() {
    assertEquals("{\"of\":\"the cluster\"}", catalog.labels(pmid(1, 0), LabelType.CLUSTER));
    assertEquals("", catalog.labels(pmid(2, 0), LabelType.CLUSTER));
    assertEquals("{\"z\":1,\"a\":{\"b\":true}}", catalog.labels(pmid(1, 1), LabelType.ITEM));
    assertEquals("", catalog.labels(pmid(1, 5), LabelType.ITEM));
    assertEquals("{\"of\":\"the InDom\"}", catalog.labels(inDom(1, 3), LabelType.INDOM));
    assertEquals("", catalog.labels(inDom(1, 6), LabelType.INDOM));
    assertEquals("{\"agent\":\"mmv\"}", catalog.labels(TestCatalog.DOMAIN, LabelType.DOMAIN));
    assertEquals("4= 0={\"of\":\"five\"} -7= 5=", catalog.labels(inDom(1, 3), LabelType.INSTANCES));
  }
}
