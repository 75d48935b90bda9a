package org.jmmv.protocol;

import static org.junit.jupiter.api.Assertions.*;

import org.junit.jupiter.api.Test;

class PduTypeTest {
  @Test
  void everyTypeIsFoundByItsCodeAndNoOther() {
    for (PduType type : PduType.values()) {
      assertSame(type, PduType.of(type.code()));
    }
    assertNull(PduType.of(0x700b));
    assertNull(PduType.of(0x7018));
    assertNull(PduType.of(-1));
  }

  @Test
  void aTypeIsThatOfRequestsIfItsRecordIsOne() {
    for (Pdu pdu : SamplePdus.all()) {
      assertEquals(pdu instanceof Request, pdu.type().isRequest(), pdu::toString);
    }
  }
}
