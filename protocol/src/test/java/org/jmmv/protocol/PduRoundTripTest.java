package org.jmmv.protocol;

import static java.util.stream.Collectors.toSet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PduRoundTripTest {

  static List<Pdu> pdus() {
    return SamplePdus.all();
  }

  @ParameterizedTest
  @MethodSource("pdus")
  void aDecodedPduEqualsTheEncodedOne(Pdu pdu) throws MalformedPduException {
    ByteBuf frame = SamplePdus.encode(pdu);
    assertEquals(frame.readableBytes(), frame.getInt(0), "len");
    Pdu decoded = SamplePdus.decode(frame);
    assertEquals(pdu, decoded);
    assertEquals(pdu.hashCode(), decoded.hashCode());
    assertEquals(frame, SamplePdus.encode(decoded));
  }

  @ParameterizedTest
  @MethodSource("pdus")
  void offsetsCountFromTheHeaderAtAnyPositionInTheBuffer(Pdu pdu) throws MalformedPduException {
    ByteBuf out = Unpooled.buffer().writeZero(5);
    pdu.encode(out);
    out.skipBytes(5);
    assertEquals(SamplePdus.encode(pdu), out);
    assertEquals(pdu, SamplePdus.decode(out));
  }

  @Test
  void samplesCoverEveryType() {
    assertEquals(Set.of(PduType.values()), pdus().stream().map(Pdu::type).collect(toSet()));
  }

  @Test
  void charsAbove0xffAreEncodedAsOneQuestionMarkEach() throws MalformedPduException {
    Text text = new Text(0, 1, "\u20ac\ud83d\ude00\u00e4");
    assertEquals(new Text(0, 1, "???\u00e4"), SamplePdus.decode(SamplePdus.encode(text)));
  }

  @Test
  void profilesOfInstanceDomainsAreEqualByContent() {
    InDomProfile profile = new InDomProfile(1, true, 1, 2);
    assertEquals(profile, new InDomProfile(1, true, 1, 2));
    assertNotEquals(profile, new InDomProfile(2, true, 1, 2));
    assertNotEquals(profile, new InDomProfile(1, false, 1, 2));
    assertNotEquals(profile, new InDomProfile(1, true, 2, 1));
    profile.instances()[0] = 7;
    assertEquals(1, profile.instances()[0]);
    assertEquals("InDomProfile[inDom=0.1, include=true, instances=[1, 2]]", profile.toString());
  }

  @Test
  void recordsThatCanNotBeEncodedCanNotBeCreated() {
    List<InstanceValue> mixed =
        List.of(new InstanceValue(0, new Value.Word(1)), new InstanceValue(1, Value.ofText("a")));
    assertThrows(IllegalArgumentException.class, () -> ValueSet.of(1, mixed));
    assertThrows(IllegalArgumentException.class, () -> ValueSet.none(1, 1));
    assertThrows(IllegalArgumentException.class, () -> new ValueSet(1, 1, mixed));
    assertThrows(
        IllegalArgumentException.class, () -> new PmnsNames(0, List.of("a"), List.of(0, 1)));
    assertThrows(IllegalArgumentException.class, () -> new Value.Block(256, ""));
    assertThrows(IllegalArgumentException.class, () -> new Value.Block(6, "x".repeat(0xfffffc)));
  }
}
