package org.jmmv.protocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jmmv.pcp.Labels;
import org.jmmv.pcp.PmError;
import org.jmmv.pcp.ValueType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MalformedPduTest {

  private static final long SEED = 70;

  static List<Pdu> pdus() {
    return SamplePdus.all();
  }

  /** Type, body and the expected reason. */
  static Stream<Arguments> malformedBodies() {
    return Stream.of(
        arguments(PduType.ERROR, words(), "code missing at offset 12"),
        arguments(PduType.ERROR, words(0, 0, 0), "4 bytes too many at offset 20"),
        arguments(PduType.DESC_REQ, words(1, 2), "4 bytes too many at offset 16"),
        arguments(PduType.FETCH, words(0, 0, 0, 0), "nPmid 0 at offset 28"),
        arguments(
            PduType.FETCH,
            words(0, 0, 0, -1),
            "nPmid -1 does not fit the 0 bytes left at offset 28"),
        arguments(
            PduType.FETCH,
            words(0, 0, 0, 2, 1),
            "nPmid 2 does not fit the 4 bytes left at offset 28"),
        arguments(PduType.FETCH, words(0, 0, 0, 1, 1, 2), "4 bytes too many at offset 32"),
        arguments(PduType.PROFILE, words(-1, 0, 0, 0), "context -1 at offset 16"),
        arguments(
            PduType.PROFILE,
            words(0, 0, 1, 0, 5, 0, 1, 0),
            "nInst 1 does not fit the 0 bytes left at offset 44"),
        arguments(
            PduType.PROFILE, words(0, 0, 1, 0, 5, 0, 0, 0, 9), "4 bytes too many at offset 44"),
        arguments(
            PduType.INSTANCE_REQ,
            words(1, 0, 0, -1, 5, 0),
            "name length 5 does not fit the 4 bytes left at offset 32"),
        arguments(
            PduType.INSTANCE_REQ,
            words(1, 0, 0, -1, 3).writeMedium(0x616263),
            "name of 3 bytes without its padding at offset 32"),
        arguments(PduType.CREDS, words(0), "count 0 at offset 16"),
        arguments(PduType.CREDS, words(1025).writeZero(4100), "count 1025 at offset 16"),
        arguments(PduType.PMNS_IDS, words(0, 0), "n 0 at offset 20"),
        arguments(PduType.PMNS_NAMES, words(3, 2, 1, 0, 1, 0), "numstatus 2 with n 1 at offset 24"),
        arguments(
            PduType.PMNS_NAMES,
            words(1, 0, 1, 1, 0x6a7e7e7e),
            "nstrbytes 1 instead of 2 at offset 32"),
        arguments(PduType.RESULT, words(0, 0, 1, 5, 1, 3, -1, 0), "valfmt 3 unknown at offset 36"),
        arguments(
            PduType.RESULT,
            words(0, 0, 1, 5, 2, 0, -1, 0),
            "numval 2 does not fit the 8 bytes left at offset 36"),
        arguments(
            PduType.RESULT,
            words(0, 0, 1, 5, 1, 1, -1, 0x7fffffff),
            "value block at word 2147483647 is outside the body at offset 44"),
        arguments(
            PduType.RESULT,
            words(0, 0, 1, 5, 1, 1, -1, -1),
            "value block at word -1 is outside the body at offset 44"),
        arguments(
            PduType.RESULT,
            words(0, 0, 1, 5, 1, 1, -1, 2),
            "value block of 4 bytes at 8 is outside the body at offset 44"),
        arguments(
            PduType.RESULT,
            words(0, 0, 1, 5, 1, 1, -1, 11, 0x06000003),
            "value block of length 3 at offset 44"),
        arguments(
            PduType.RESULT,
            words(0, 0, 1, 5, 1, 1, -1, 11, 0x0600000c, 0),
            "value block of 8 bytes at 48 is outside the body at offset 44"),
        arguments(
            PduType.RESULT,
            words(0, 0, 1, 5, 1, 1, -1, 12, 0, 0x06000004),
            "value blocks begin at 48, value sets end at offset 44"),
        arguments(
            PduType.RESULT,
            words(0, 0, 1, 5, 1, 1, -1, 11, 0x06000004, 0),
            "value blocks end at 48 of 52 bytes, begin at offset 44"),
        arguments(
            PduType.RESULT,
            words(0, 0, 1, 5, 2, 1, 0, 13, 1, 13, 0x06000004, 0x06000004),
            "value block at 52 instead of 56 at offset 52"),
        arguments(
            PduType.LABEL,
            words(1, 1, 0, 1, 0, 255, 44, 0),
            "set of 255 labels in 0 bytes at offset 44"),
        arguments(
            PduType.LABEL,
            words(1, 1, 0, 1, 0, 0, 44, 65_535),
            "set of 0 labels in 65535 bytes at offset 44"),
        arguments(
            PduType.LABEL,
            words(1, 1, 0, 1, 0, 0, 44, -1),
            "JSON of -1 bytes at 44 is outside the body at offset 44"),
        arguments(
            PduType.LABEL,
            words(1, 1, 0, 1, 0, 0, 0, 4),
            "JSON of 4 bytes at 0 is outside the body at offset 44"),
        arguments(
            PduType.LABEL,
            words(1, 1, 0, 1, 0, 0, 0x7fffffff, 4),
            "JSON of 4 bytes at 2147483647 is outside the body at offset 44"),
        arguments(
            PduType.LABEL,
            words(1, 1, 0, 1, 0, 0, 40, 8, 0),
            "JSON begins at 40, label sets end at offset 44"),
        arguments(
            PduType.LABEL,
            words(1, 1, 0, 1, 0, 0, 44, 0, 0),
            "JSON ends at 44 of 48 bytes, begins at offset 44"),
        arguments(
            PduType.LABEL,
            words(1, 1, 0, 2, 0, 0, 60, 4, 1, 0, 60, 4, 0),
            "JSON at 60 instead of 64 at offset 60"),
        arguments(
            PduType.LABEL,
            words(1, 1, 0, 1, 0, 1, 52, 4, 0x00020300, 0, 0),
            "label outside its 4 bytes of JSON at offset 52"));
  }

  private static ByteBuf words(int... words) {
    return Unpooled.buffer().writeBytes(Unpooled.copyInt(words));
  }

  @ParameterizedTest
  @MethodSource("malformedBodies")
  void isRejectedWithReasonAndOffset(PduType type, ByteBuf body, String reason) {
    MalformedPduException e =
        assertThrows(MalformedPduException.class, () -> Pdu.decode(type, 0, body));
    assertEquals(reason, e.getMessage());
  }

  @ParameterizedTest
  @MethodSource("pdus")
  void aBodyCutOffAnywhereIsRejected(Pdu pdu) {
    ByteBuf body = SamplePdus.encode(pdu).skipBytes(Pdu.HEADER_LENGTH);
    for (int length = 0; length < body.readableBytes(); length++) {
      ByteBuf part = body.slice(body.readerIndex(), length);
      if (pdu.type() == PduType.ATTR && length >= 4) {
        continue; // The value of an ATTR extends to the end of the PDU, whatever its length.
      }
      assertThrows(
          MalformedPduException.class,
          () -> Pdu.decode(pdu.type(), 0, part),
          () -> part + " of " + pdu);
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 1 << 30, 1 << 28, 0x0fffffff, 1 << 24})
  void aHugeCountAnywhereIsRejectedBeforeMemoryIsAllocated(int huge) {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (Pdu pdu : pdus()) {
      ByteBuf frame = SamplePdus.encode(pdu);
      for (int offset = Pdu.HEADER_LENGTH; offset + 4 <= frame.readableBytes(); offset += 4) {
        ByteBuf changed = frame.copy().setInt(offset, huge);
        decode(changed); // first without measuring: loading classes allocates, too
        long before = threads.getCurrentThreadAllocatedBytes();
        decode(changed);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < 1 << 20, () -> allocated + " bytes allocated for " + pdu);
      }
    }
  }

  private static void decode(ByteBuf frame) {
    try {
      SamplePdus.decode(frame);
    } catch (MalformedPduException e) {
      assertTrue(e.getMessage().matches(".+ at offset \\d+"), e.getMessage());
    }
  }

  /** The seed is fixed, so a failure is reproducible. */
  @Test
  void mutatedBodiesAreRejectedOrSurviveARoundTrip() {
    Random random = new Random(SEED);
    List<ByteBuf> frames = pdus().stream().map(SamplePdus::encode).toList();
    int decoded = 0;
    for (int i = 0; i < 200_000; i++) {
      ByteBuf frame = mutate(frames.get(random.nextInt(frames.size())), random);
      try {
        Pdu pdu = SamplePdus.decode(frame);
        assertEquals(pdu, SamplePdus.decode(SamplePdus.encode(pdu)));
        decoded++;
      } catch (MalformedPduException e) {
        assertTrue(e.getMessage().matches("[ -~]+ at offset \\d+"), e.getMessage());
      } catch (RuntimeException e) {
        fail(ByteBufUtil.hexDump(frame), e);
      }
    }
    assertTrue(decoded > 10_000 && decoded < 190_000, decoded + " decoded");
  }

  /**
   * Returns a copy with changed words, changed bytes or another length. Small numbers are frequent,
   * because as counts and lengths they pass the first checks.
   */
  private static ByteBuf mutate(ByteBuf original, Random random) {
    ByteBuf frame = original.copy();
    int bodyLength = frame.readableBytes() - Pdu.HEADER_LENGTH;
    for (int i = random.nextInt(3); i >= 0; i--) {
      if (bodyLength >= 4) {
        int word = Pdu.HEADER_LENGTH + 4 * random.nextInt(bodyLength / 4);
        switch (random.nextInt(4)) {
          case 0 -> frame.setInt(word, random.nextInt());
          case 1 -> frame.setInt(word, random.nextInt(-4, 32));
          case 2 -> frame.setInt(word, frame.getInt(word) + random.nextInt(-4, 5));
          default -> frame.setByte(word + random.nextInt(4), random.nextInt());
        }
      }
    }
    if (random.nextInt(4) == 0) {
      frame.writerIndex(Pdu.HEADER_LENGTH + random.nextInt(bodyLength + 1));
    }
    if (random.nextInt(8) == 0) {
      frame.writeZero(4 * random.nextInt(3));
    }
    return frame;
  }

  @Test
  void aStoredNumberOfTheWrongLengthIsDecodedButIsNotANumber() throws MalformedPduException {
    // pmcd passes such a value on, and drops an agent that answers with PM_ERR_IPC.
    Result store = Result.decode(0, words(0, 0, 1, 5, 1, 2, -1, 11, 0x05000008, 1));
    Value value = store.sets().getFirst().values().getFirst().value();
    assertEquals(new Value.Block(ValueType.DOUBLE, "\0\0\0\1"), value);
    assertEquals("", value.asText());
  }

  @Test
  void anErrorInPlaceOfALabelCountIsASetWithoutLabels() throws MalformedPduException {
    Label label = Label.decode(0, words(1, 32, 0, 1, 3, PmError.INST.code(), 44, 0));
    assertEquals(List.of(new LabelSet(3, new Labels("", List.of()))), label.sets());
  }
}
