package org.jmmv.protocol;

import io.netty.buffer.ByteBuf;

/**
 * The first PDU from a collector to a client: an ERROR with a second word. It admits the client and
 * lists what the collector can do, or refuses the client.
 *
 * <pre>
 * 12 status
 * 16 zero:1 version:7 licensed:8 features:16    0 if the client is refused
 * </pre>
 *
 * <p>{@link Pdu#decode} returns a {@link PduError}, because only the receiver knows that a PDU is
 * the first one; {@link #decode} is called directly.
 *
 * @param from 0
 * @param status 0, or why the client is refused: -errno or, unlike everywhere else, {@code
 *     PM_ERR_*} plus 11345, the number that it had in version 1 of the protocol
 * @param features the features offered, 0 if the client is refused
 */
public record Greeting(int from, int status, int features) implements Notice {
  /** Feature: the connection can change to TLS. */
  public static final int SECURE = 0x001;

  /** Feature: PDUs can be compressed. Neither pmcd nor the collector offers it. */
  public static final int COMPRESS = 0x002;

  /** Feature: an ERROR with code 0 precedes TLS. */
  public static final int SECURE_ACK = 0x010;

  /** Feature: labels. */
  public static final int LABELS = 0x200;

  /** Feature: {@link HighResResult}. */
  public static final int HIGHRES = 0x400;

  /** Feature: {@link DescIds}. */
  public static final int DESCS = 0x800;

  private static final int VERSION_2_LICENSED = 0x02010000;
  private static final int FEATURES = 0xffff;
  private static final int FIRST = -12345; // the first code of PM_ERR_*
  private static final int FIRST_OF_VERSION_1 = -1000;

  /** Returns a greeting that admits a client. */
  public static Greeting admit(int features) {
    return new Greeting(0, 0, features);
  }

  /**
   * Returns a greeting that refuses a client.
   *
   * @param code a code of {@link org.jmmv.pcp.PmError}
   */
  public static Greeting refuse(int code) {
    return new Greeting(0, code - FIRST + FIRST_OF_VERSION_1, 0);
  }

  @Override
  public PduType type() {
    return PduType.ERROR;
  }

  /**
   * Decodes the body.
   *
   * @throws MalformedPduException if the body is malformed
   */
  public static Greeting decode(int from, ByteBuf body) throws MalformedPduException {
    PduBody in = new PduBody(body);
    int status = in.word("status");
    int challenge = in.word("challenge");
    in.end();
    return new Greeting(from, status, challenge & FEATURES);
  }

  @Override
  public void encodeBody(ByteBuf out) {
    out.writeInt(status).writeInt(status == 0 ? VERSION_2_LICENSED | features : 0);
  }
}
