package org.jmmv.qa;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jmmv.client.AgentConnection;
import org.jmmv.client.CollectorConnection;
import org.jmmv.pcp.Pmid;
import org.jmmv.protocol.Creds;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InDomProfile;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.InstanceValue;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.PduType;
import org.jmmv.protocol.PmnsChild;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.TextReq;
import org.jmmv.protocol.Value;
import org.jmmv.protocol.ValueSet;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Malformed, reordered, endless and missing PDUs from the peer. */
final class HostilePdusTest {
  private static final int PDUS = 20_000;
  private static final DescReq QUESTION = new DescReq(0, Pmid.build(70, 0, 2));

  /** The kinds of connection. */
  enum Way {
    PIPE,
    SOCKET
  }

  @AutoClose private final TemporaryPcp pcp = new TemporaryPcp();
  private final GoodFile good = new GoodFile(pcp.mmv());
  private final Path log = pcp.file("mmv.log");

  /** An agent, and the connection to it. */
  private record Served(AgentProcess process, AgentConnection connection) implements AutoCloseable {
    @Override
    public void close() {
      connection.close();
      if (process != null) {
        process.close();
      }
    }
  }

  private Served start(Way way) throws IOException {
    if (way == Way.PIPE) {
      return new Served(
          null,
          AgentConnection.start(
              command().words(),
              pcp.environment(),
              ProcessBuilder.Redirect.to(pcp.file("mmv.err").toFile()),
              Await.LIMIT));
    }
    Path socket = pcp.file("socket");
    AgentProcess process = AgentProcess.start(pcp, command().with("-u", socket.toString()));
    process.awaitListeningAt(socket);
    return new Served(process, AgentConnection.connect(UnixDomainSocketAddress.of(socket)));
  }

  private AgentCommand command() {
    return AgentCommand.jmmv().with("-l", log.toString());
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void whateverIsInAPduTheNextIsAnswered(Way way) throws IOException {
    Random random = new Random(1);
    try (Served served = start(way)) {
      AgentConnection agent = served.connection;
      for (int sent = 0; sent < PDUS; sent += 100) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < 100; i++) {
          bytes.writeBytes(random.nextInt(3) == 0 ? randomPdu(random) : damagedPdu(random));
        }
        bytes.writeBytes(CollectorConnection.encoded(QUESTION));
        sendInPieces(agent, bytes.toByteArray(), random);
        Pdu reply;
        do {
          reply = agent.receive();
        } while (!(reply instanceof Desc desc && desc.pmid() == QUESTION.pmid()));
      }
      // a random PDU may have been the same question, so there may be more answers to it
      agent.send(new PmnsNames(0, List.of("mmv.control.files"), List.of()));
      while (!(agent.receive() instanceof PmnsIds)) {}
      good.assertServedBy(agent);
    } catch (IOException e) {
      throw new IOException(TemporaryPcp.text(log), e);
    }
  }

  private static void sendInPieces(AgentConnection agent, byte[] bytes, Random random)
      throws IOException {
    for (int from = 0; from < bytes.length; ) {
      int to = Math.min(bytes.length, from + 1 + random.nextInt(2000));
      agent.sendBytes(Arrays.copyOfRange(bytes, from, to));
      from = to;
    }
  }

  private static byte[] randomPdu(Random random) {
    byte[] body = new byte[4 * random.nextInt(40) + random.nextInt(4)];
    random.nextBytes(body);
    int type = 0x6fff + random.nextInt(0x20);
    return frame(type == PduType.DESC_REQ.code() ? 0 : type, body);
  }

  private static byte[] frame(int type, byte[] body) {
    int length = 12 + body.length;
    return ByteBuffer.allocate(length).putInt(length).putInt(type).putInt(0).put(body).array();
  }

  /** Returns a PDU as pmcd sends it, with up to two words replaced. */
  private static byte[] damagedPdu(Random random) {
    int good = Pmid.build(70, 2987, 1);
    List<Pdu> sound =
        List.of(
            new Profile(
                0,
                0,
                true,
                List.of(new InDomProfile(5, true, 1, 2), new InDomProfile(6, false, 3))),
            Fetch.of(0, 0, good, 1, good, 3),
            new InstanceReq(0, 293_601_281, 0, "orders"),
            new InstanceReq(0, 293_601_281, -1, "orders"),
            new TextReq(0, good, 5),
            new PmnsIds(0, 0, List.of(good)),
            new PmnsNames(0, List.of("mmv.a_good.count", "x"), List.of()),
            new PmnsChild(0, true, "mmv"),
            new PmnsTraverse(0, "mmv.a_good"),
            new LabelReq(0, good, 16),
            new PduError(0, -1),
            Creds.version2(0),
            new Result(
                0,
                0,
                0,
                List.of(ValueSet.of(good, List.of(new InstanceValue(-1, Value.ofText("all")))))));
    byte[] pdu = CollectorConnection.encoded(sound.get(random.nextInt(sound.size())));
    ByteBuffer words = ByteBuffer.wrap(pdu);
    int[] numbers = {0, 1, -1, 2, 255, 65_536, Integer.MAX_VALUE, Integer.MIN_VALUE, good};
    for (int changes = random.nextInt(3); changes > 0 && pdu.length >= 16; changes--) {
      int at = 12 + 4 * random.nextInt((pdu.length - 12) / 4);
      words.putInt(at, numbers[random.nextInt(numbers.length)]);
    }
    return pdu;
  }
}
