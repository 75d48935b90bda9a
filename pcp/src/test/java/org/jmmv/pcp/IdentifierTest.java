package org.jmmv.pcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class IdentifierTest {

  @Test
  void aPmidIsBuiltAndDissected() {
    int pmid = Pmid.build(70, 4095, 1023);
    assertEquals(0x11bfffff, pmid);
    assertEquals(70, Pmid.domain(pmid));
    assertEquals(4095, Pmid.cluster(pmid));
    assertEquals(1023, Pmid.item(pmid));
    assertEquals("70.4095.1023", Pmid.toString(pmid));
    assertEquals("PM_ID_NULL", Pmid.toString(Pmid.NULL));
  }

  @Test
  void aPmidIsParsed() {
    assertEquals(Pmid.build(70, 4095, 1023), Pmid.parse("70.4095.1023"));
    assertEquals(Pmid.build(511, 2047, 1), Pmid.parse("511.2047.1"));
    for (String text :
        List.of("", "70.1", "70.1.2.3", "512.1.1", "70.4096.1", "70.1.1024", "-1.1.1")) {
      assertEquals(Pmid.NULL, Pmid.parse(text), text);
    }
  }

  @Test
  void typesHaveNames() {
    assertEquals("32", ValueType.toString(ValueType.I32));
    assertEquals("highres_event", ValueType.toString(ValueType.HIGHRES_EVENT));
    assertEquals("unsupported", ValueType.toString(ValueType.NOSUPPORT));
    assertEquals("unknown", ValueType.toString(ValueType.HIGHRES_EVENT + 1));
  }

  @Test
  void bitsBeyondAFieldAreDropped() {
    assertEquals(Pmid.build(70, 1, 2), Pmid.build(70 + 512, 1 + 4096, 2 + 1024));
    assertEquals(InDom.build(70, 5), InDom.build(70, 5 + (1 << 22)));
    assertEquals(511, Pmid.domain(-1));
  }

  @Test
  void anInDomIsBuiltAndDissected() {
    int inDom = InDom.build(70, 0x3fffff);
    assertEquals(70, InDom.domain(inDom));
    assertEquals(0x3fffff, InDom.serial(inDom));
    assertEquals("70.4194303", InDom.toString(inDom));
    assertEquals("PM_INDOM_NULL", InDom.toString(InDom.NULL));
  }

  @Test
  void errorCodesAreThoseOfPmapi() {
    assertEquals(-12345, PmError.GENERIC.code());
    assertEquals(-12358, PmError.PMID.code());
    assertEquals(-12410, PmError.NOLABELS.code());
  }

  @Test
  void errorsAreDescribed() {
    assertEquals("PM_ERR_PMID", PmError.describe(-12358));
    assertEquals("errno 13", PmError.describe(-13));
    assertEquals("code -12346", PmError.describe(-12346));
    assertEquals("code 0", PmError.describe(0));
  }
}
