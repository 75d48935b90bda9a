package org.jmmv.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jmmv.pcp.Instance;
import org.jmmv.protocol.Creds;
import org.jmmv.protocol.Desc;
import org.jmmv.protocol.DescReq;
import org.jmmv.protocol.Fetch;
import org.jmmv.protocol.InstanceReq;
import org.jmmv.protocol.Instances;
import org.jmmv.protocol.Label;
import org.jmmv.protocol.LabelReq;
import org.jmmv.protocol.MalformedPduException;
import org.jmmv.protocol.Pdu;
import org.jmmv.protocol.PduError;
import org.jmmv.protocol.PduType;
import org.jmmv.protocol.PmnsChild;
import org.jmmv.protocol.PmnsIds;
import org.jmmv.protocol.PmnsNames;
import org.jmmv.protocol.PmnsTraverse;
import org.jmmv.protocol.Profile;
import org.jmmv.protocol.Result;
import org.jmmv.protocol.Text;
import org.jmmv.protocol.TextReq;
import org.jmmv.protocol.ValueSet;

/**
 * A connection to an agent, on which this side takes the role of pmcd. Requests block until the
 * reply has arrived.
 *
 * <p>Not thread-safe, except for {@link #close}, which any thread may call. Methods such as {@link
 * #describe} send their request with client context 0; {@link #request} sends any PDU.
 *
 * <p>Strings hold one char per byte, see {@link org.jmmv.protocol}.
 *
 * <p>All methods that communicate with the agent throw an {@link AgentErrorException} if the agent
 * replies with an ERROR. They throw another {@link IOException} if the agent has closed the
 * connection, sends anything but the expected reply, or exceeds the timeout. A timeout ends the
 * connection, as it does in pmcd: the agent's process is killed, or the socket closed.
 */
public final class AgentConnection implements AutoCloseable {

  /**
   * The default timeout. An agent that hangs exceeds it, one on a busy machine does not. pmcd
   * itself waits 5 seconds.
   */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);

  /**
   * The maximum length of a reply in bytes. It is larger than any reply, and smaller than four
   * printable characters interpreted as a length.
   */
  private static final int MAX_REPLY = 128 << 20;

  /** How much of the agent's output an exception's message shows if it is not a PDU, in bytes. */
  private static final int MAX_SHOWN = 120;

  private static final String ENDED = "it closed the connection";
  private static final String ENDED_INSIDE = ENDED + " in the middle of a PDU";

  private final AgentLink link;
  private final Duration timeout;
  private final ReplyTimer timer;
  private final InputStream in;
  private final OutputStream out;
  private long pid;
  private boolean closed;

  private AgentConnection(AgentLink link, Duration timeout) {
    this.link = link;
    this.timeout = timeout;
    this.in = link.in();
    this.out = link.out();
    this.timer = new ReplyTimer(timeout, link::cut);
  }

  /**
   * Starts an agent on two pipes, with {@link #DEFAULT_TIMEOUT}. The agent inherits standard error.
   *
   * @param command the program and its arguments
   * @param environment variables to set in addition to the inherited ones
   * @throws IOException if the agent can't be started or does not send CREDS for version 2
   */
  public static AgentConnection start(List<String> command, Map<String, String> environment)
      throws IOException {
    return start(command, environment, Redirect.INHERIT, DEFAULT_TIMEOUT);
  }

  /**
   * Starts an agent on two pipes.
   *
   * @param command the program and its arguments
   * @param environment variables to set in addition to the inherited ones
   * @param errors the destination of the agent's standard error; exceptions name it if it is a file
   * @param timeout for the agent's CREDS, for each reply and for its exit, see {@link #close}
   * @throws IOException if the agent can't be started or does not send CREDS for version 2
   */
  public static AgentConnection start(
      List<String> command, Map<String, String> environment, Redirect errors, Duration timeout)
      throws IOException {
    return open(new ChildLink(command, environment, errors, timeout), timeout);
  }

  /**
   * Connects to an agent that listens on a socket, with {@link #DEFAULT_TIMEOUT}.
   *
   * @param address an inet or Unix domain address
   * @throws IOException if there is no listener or it does not send CREDS for version 2
   */
  public static AgentConnection connect(SocketAddress address) throws IOException {
    return connect(address, DEFAULT_TIMEOUT);
  }

  /**
   * Connects to an agent that listens on a socket.
   *
   * @param address an inet or Unix domain address
   * @param timeout for the agent's CREDS and for each reply
   * @throws IOException if there is no listener or it does not send CREDS for version 2
   */
  public static AgentConnection connect(SocketAddress address, Duration timeout)
      throws IOException {
    return open(new SocketLink(address), timeout);
  }

  private static AgentConnection open(AgentLink link, Duration timeout) throws IOException {
    AgentConnection connection = new AgentConnection(link, timeout);
    try {
      connection.shakeHands();
      return connection;
    } catch (IOException | RuntimeException e) {
      link.cut();
      connection.close();
      throw e;
    }
  }

  private void shakeHands() throws IOException {
    Pdu hello = receive();
    if (!(hello instanceof Creds creds) || !isVersion2(creds)) {
      throw new IOException(
          "%s: sent %s instead of CREDS for version 2%s"
              .formatted(link.describe(), hello, link.fate()));
    }
    pid = link.pid().orElse(creds.from());
    send(Creds.version2((int) ProcessHandle.current().pid()));
  }

  /** Returns whether there is a credential {@code type=1 (CVERSION) version=2}, with any flags. */
  private static boolean isVersion2(Creds creds) {
    return creds.credentials().stream().anyMatch(credential -> credential >>> 16 == 0x0102);
  }

  /** Returns the agent's process id; for an agent on a socket, the id in its CREDS. */
  public long pid() {
    return pid;
  }

  /**
   * Returns the exit status of an agent that was started by this class; empty while it runs, and
   * for an agent on a socket.
   */
  public OptionalInt exitStatus() {
    return link.exitStatus();
  }

  /** Sends PDUs in a single write. */
  public void send(Pdu... pdus) throws IOException {
    ByteBuf bytes = Unpooled.buffer();
    for (Pdu pdu : pdus) {
      pdu.encode(bytes);
    }
    send(bytes.array(), bytes.readableBytes());
  }

  /** Sends bytes, which need not be a PDU, in a single write. */
  public void sendBytes(byte[] bytes) throws IOException {
    send(bytes, bytes.length);
  }

  private void send(byte[] bytes, int length) throws IOException {
    timed(() -> write(bytes, length));
  }

  private int write(byte[] bytes, int length) throws IOException {
    try {
      out.write(bytes, 0, length);
      out.flush();
      return length;
    } catch (IOException e) {
      throw new IOException(ENDED, e);
    }
  }

  /** Waits for the next PDU. An ERROR is returned like any other PDU. */
  public Pdu receive() throws IOException {
    return decode(receiveFrame());
  }

  /** Waits for the next PDU and returns its bytes, header included. */
  public byte[] receiveFrame() throws IOException {
    return timed(this::readFrame);
  }

  private byte[] readFrame() throws IOException {
    byte[] head = in.readNBytes(4);
    if (head.length < 4) {
      throw new EOFException(head.length == 0 ? ENDED : ENDED_INSIDE);
    }
    int length = ByteBuffer.wrap(head).getInt();
    if (length < Pdu.HEADER_LENGTH || length > MAX_REPLY) {
      throw new IOException("it sent \"" + shown(head) + "\", which is not a PDU");
    }
    byte[] frame = Arrays.copyOf(head, length);
    if (in.readNBytes(frame, 4, length - 4) < length - 4) {
      throw new EOFException(ENDED_INSIDE);
    }
    return frame;
  }

  private String shown(byte[] head) throws IOException {
    byte[] rest = in.readNBytes(Math.min(in.available(), MAX_SHOWN - head.length));
    String text = new String(head, ISO_8859_1) + new String(rest, ISO_8859_1);
    return text.strip().replaceAll("[^ -~]", "?");
  }

  /**
   * Decodes a PDU.
   *
   * @param frame the bytes returned by {@link #receiveFrame}
   * @throws IOException if the PDU is malformed or of an unknown type
   */
  public static Pdu decode(byte[] frame) throws IOException {
    ByteBuf bytes = Unpooled.wrappedBuffer(frame);
    bytes.skipBytes(4);
    int code = bytes.readInt();
    PduType type = PduType.of(code);
    if (type == null) {
      throw new IOException("the agent sent a PDU of unknown type 0x%x".formatted(code));
    }
    try {
      return Pdu.decode(type, bytes.readInt(), bytes);
    } catch (MalformedPduException e) {
      throw new IOException("the agent sent a malformed " + type + ": " + e.getMessage(), e);
    }
  }

  private interface Exchange<T> {
    T run() throws IOException;
  }

  private <T> T timed(Exchange<T> exchange) throws IOException {
    timer.start();
    IOException failure = null;
    T outcome = null;
    try {
      outcome = exchange.run();
    } catch (IOException e) {
      failure = e;
    }
    if (timer.stop()) {
      throw failed("it did not reply within " + timeout.toMillis() + " ms", failure);
    }
    if (failure != null) {
      throw failed(failure.getMessage(), failure);
    }
    return outcome;
  }

  private IOException failed(String reason, IOException cause) {
    return new IOException(link.describe() + ": " + reason + link.fate(), cause);
  }

  /**
   * Sends PDUs in a single write and waits for one reply.
   *
   * @param pdus PDUs without a reply, such as {@link Profile}, and then one request
   * @return the reply; for a store a {@link PduError} with code 0
   * @throws AgentErrorException if the reply is an ERROR with another code
   */
  public Pdu request(Pdu... pdus) throws IOException {
    Pdu reply = decode(requestFrame(pdus));
    if (reply instanceof PduError error && error.code() != 0) {
      throw new AgentErrorException(pdus[pdus.length - 1].type(), error.code());
    }
    return reply;
  }

  /** Like {@link #request}, but returns the bytes of the reply, even of an ERROR. */
  public byte[] requestFrame(Pdu... pdus) throws IOException {
    send(pdus);
    return receiveFrame();
  }

  private <T extends Pdu> T request(Class<T> expected, Pdu... pdus) throws IOException {
    Pdu reply = request(pdus);
    if (!expected.isInstance(reply)) {
      throw new IOException(
          "the agent replied to %s with %s".formatted(pdus[pdus.length - 1].type(), reply));
    }
    return expected.cast(reply);
  }

  /** Returns the full names of all metrics below a name, in the agent's order. */
  public List<String> traverse(String node) throws IOException {
    return request(PmnsNames.class, new PmnsTraverse(0, node)).names();
  }

  /** Returns the children of a name, relative to it, with statuses. */
  public PmnsNames children(String node) throws IOException {
    return request(PmnsNames.class, new PmnsChild(0, true, node));
  }

  /** Returns the PMID of a metric. */
  public int pmid(String name) throws IOException {
    return request(PmnsIds.class, new PmnsNames(0, List.of(name), List.of())).pmids().getFirst();
  }

  /** Returns all full names of a metric. */
  public List<String> names(int pmid) throws IOException {
    return request(PmnsNames.class, new PmnsIds(0, 0, List.of(pmid))).names();
  }

  /** Returns the descriptor of a metric. */
  public Desc describe(int pmid) throws IOException {
    return request(Desc.class, new DescReq(0, pmid));
  }

  /** Returns all instances of a domain. */
  public Instances instances(int inDom) throws IOException {
    return request(Instances.class, new InstanceReq(0, inDom, Instance.NULL, ""));
  }

  /**
   * Returns a help text.
   *
   * @param ident a PMID or an instance domain, depending on the type
   * @param textType a combination of the bits of {@link org.jmmv.pcp.TextType}
   */
  public String text(int ident, int textType) throws IOException {
    return request(Text.class, new TextReq(0, ident, textType)).text();
  }

  /**
   * Returns labels. Labels of instances are limited to the instances that the last profile selects.
   *
   * @param ident by type, the number of a domain, an instance domain or a PMID
   * @param labelType one of {@link org.jmmv.pcp.LabelType}
   */
  public Label labels(int ident, int labelType) throws IOException {
    return request(Label.class, new LabelReq(0, ident, labelType));
  }

  /**
   * Fetches values. The profile and the fetch are sent in a single write, with the profile's client
   * context.
   */
  public Result fetch(Profile profile, int... pmids) throws IOException {
    return request(Result.class, profile, Fetch.of(profile.from(), profile.context(), pmids));
  }

  /** Stores values. */
  public void store(ValueSet... values) throws IOException {
    request(PduError.class, new Result(0, 0, 0, List.of(values)));
  }

  /**
   * Closes the connection. An agent that was started by this class reads an end of file, and is
   * killed if it has not exited before the timeout. Its process has ended when this method returns.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      link.close();
    } catch (IOException e) {
      // All data had been flushed, so the failure has no consequence.
    } finally {
      timer.close();
    }
  }
}
