package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * CREDS: the credentials of one side, which include its protocol version. It is the first PDU in
 * each direction: the agent sends its CREDS, then pmcd answers with its own.
 *
 * <pre>
 * 12 count     1 to 1024
 * 16 count times
 *      type:8 a:8 b:8 c:8
 * </pre>
 *
 * @param from the sender's process id
 * @param credentials one word each
 */
public record Creds(int from, List<Integer> credentials) implements Notice {
  private static final int MAX_COUNT = 1024;

  /** A credential of type CVERSION (1): protocol version 2, no flags. */
  private static final int VERSION_2 = 0x01020000;

  public Creds {
    credentials = List.copyOf(credentials);
  }

  /**
   * Returns the credentials of an agent: protocol version 2, no flags.
   *
   * @param pid the agent's process id
   */
  public static Creds version2(int pid) {
    return new Creds(pid, List.of(VERSION_2));
  }

  static Creds decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    return new Creds(from, in.wordsToEnd("count", MAX_COUNT));
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(credentials.size());
    credentials.forEach(out::writeInt);
  }
}
