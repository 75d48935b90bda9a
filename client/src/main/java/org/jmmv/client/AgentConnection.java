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
 * A connection to an agent, with this side as pmcd. Requests block until their reply is there.
 *
 * <p>Belongs to one thread at a time, but for {@link #close}, which any may call. The methods that
 * ask for one thing are sent with client context 0; what they don't offer, {@link #request} does.
 *
 * <p>Text is bytes, as everywhere in {@link org.jmmv.protocol}: one char for each.
 *
 * <p>All methods that speak to the agent throw an {@link AgentErrorException} if it answers with an
 * ERROR, and another {@link IOException} if it has gone, sends what is no PDU or not the reply
 * asked for, or takes longer than the timeout. As with pmcd, a timeout ends the connection: a
 * process is killed, a socket closed.
 */
public final class AgentConnection implements AutoCloseable {

  /** How long pmcd waits for a reply. */
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);

  /** More than any reply, in bytes, and less than any text gives that is taken for a length. */
  private static final int MAX_REPLY = 128 << 20;

  /** Of what is no PDU, how many bytes a message shows. */
  private static final int MAX_SHOWN = 120;

  private static final String ENDED = "it has ended the connection";
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
   * Starts an agent on two pipes, with {@link #DEFAULT_TIMEOUT}; its standard error is ours.
   *
   * @param environment what to add to our environment
   * @throws IOException if it can't be started, or does not introduce itself as an agent does
   */
  public static AgentConnection start(List<String> command, Map<String, String> environment)
      throws IOException {
    return start(command, environment, Redirect.INHERIT, DEFAULT_TIMEOUT);
  }

  /**
   * Starts an agent on two pipes.
   *
   * @param environment what to add to our environment
   * @param errors where its standard error goes; if that is a file, exceptions name it
   * @param timeout for its introduction and for each reply
   * @throws IOException if it can't be started, or does not introduce itself as an agent does
   */
  public static AgentConnection start(
      List<String> command, Map<String, String> environment, Redirect errors, Duration timeout)
      throws IOException {
    return open(new ChildLink(command, environment, errors), timeout);
  }

  /**
   * Connects to an agent that waits at a socket, with {@link #DEFAULT_TIMEOUT}.
   *
   * @param address inet or Unix domain
   * @throws IOException if nobody is there, or does not introduce itself as an agent does
   */
  public static AgentConnection connect(SocketAddress address) throws IOException {
    return connect(address, DEFAULT_TIMEOUT);
  }

  /**
   * Connects to an agent that waits at a socket.
   *
   * @param address inet or Unix domain
   * @param timeout for its introduction and for each reply
   * @throws IOException if nobody is there, or does not introduce itself as an agent does
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
          "%s introduces itself with %s instead of CREDS for version 2%s"
              .formatted(link.describe(), hello, link.fate()));
    }
    pid = link.pid().orElse(creds.from());
    send(Creds.version2((int) ProcessHandle.current().pid()));
  }

  /** Whether one of the credentials is {@code type=1 (CVERSION) version=2}, with any flags. */
  private static boolean isVersion2(Creds creds) {
    return creds.credentials().stream().anyMatch(credential -> credential >>> 16 == 0x0102);
  }

  /** The agent's process id; over a socket, what it says of itself. */
  public long pid() {
    return pid;
  }

  /**
   * What the agent exited with; empty as long as it runs, and for one that was not started here.
   */
  public OptionalInt exitStatus() {
    return link.exitStatus();
  }

  /** Sends PDUs with one write. */
  public void send(Pdu... pdus) throws IOException {
    ByteBuf bytes = Unpooled.buffer();
    for (Pdu pdu : pdus) {
      pdu.encode(bytes);
    }
    send(bytes.array(), bytes.readableBytes());
  }

  /** Sends bytes as they are, with one write. */
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

  /** Waits for the next PDU; an ERROR is one like any other. */
  public Pdu receive() throws IOException {
    return decode(receiveFrame());
  }

  /** Waits for the next PDU, and returns it as it is on the wire, header included. */
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
      throw new IOException("it has sent no PDU, but \"" + shown(head) + '"');
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

  /** The PDU in a frame of {@link #receiveFrame}. */
  public static Pdu decode(byte[] frame) throws IOException {
    ByteBuf bytes = Unpooled.wrappedBuffer(frame);
    bytes.skipBytes(4);
    int code = bytes.readInt();
    PduType type = PduType.of(code);
    if (type == null) {
      throw new IOException("the agent sends a PDU of unknown type 0x%x".formatted(code));
    }
    try {
      return Pdu.decode(type, bytes.readInt(), bytes);
    } catch (MalformedPduException e) {
      throw new IOException("the agent sends a malformed " + type + ": " + e.getMessage(), e);
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
      throw failed("it has not answered within " + timeout.toMillis() + " ms", failure);
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
   * Sends PDUs with one write, and waits for a reply.
   *
   * @param pdus a request, and before it what has no reply, a {@link Profile} for instance
   * @return the reply; for a store that is a {@link PduError} with code 0
   */
  public Pdu request(Pdu... pdus) throws IOException {
    Pdu reply = decode(requestFrame(pdus));
    if (reply instanceof PduError error && error.code() != 0) {
      throw new AgentErrorException(pdus[pdus.length - 1].type(), error.code());
    }
    return reply;
  }

  /** Like {@link #request}, but returns the reply, ERROR or not, as it is on the wire. */
  public byte[] requestFrame(Pdu... pdus) throws IOException {
    send(pdus);
    return receiveFrame();
  }

  private <T extends Pdu> T request(Class<T> expected, Pdu... pdus) throws IOException {
    Pdu reply = request(pdus);
    if (!expected.isInstance(reply)) {
      throw new IOException(
          "the agent answers %s with %s".formatted(pdus[pdus.length - 1].type(), reply));
    }
    return expected.cast(reply);
  }

  /** The full names of all metrics below a name, in the agent's order. */
  public List<String> traverse(String node) throws IOException {
    return request(PmnsNames.class, new PmnsTraverse(0, node)).names();
  }

  /** The relative names just below a name, with statuses: 0 for a leaf, 1 for a non-leaf. */
  public PmnsNames children(String node) throws IOException {
    return request(PmnsNames.class, new PmnsChild(0, true, node));
  }

  /** The PMID of a metric. */
  public int pmid(String name) throws IOException {
    return request(PmnsIds.class, new PmnsNames(0, List.of(name), List.of())).pmids().getFirst();
  }

  /** The full names of a metric. */
  public List<String> names(int pmid) throws IOException {
    return request(PmnsNames.class, new PmnsIds(0, 0, List.of(pmid))).names();
  }

  public Desc describe(int pmid) throws IOException {
    return request(Desc.class, new DescReq(0, pmid));
  }

  /** All instances of a domain. */
  public Instances instances(int inDom) throws IOException {
    return request(Instances.class, new InstanceReq(0, inDom, Instance.NULL, ""));
  }

  /**
   * A help text.
   *
   * @param ident a PMID or an instance domain
   * @param textType bits of {@link org.jmmv.pcp.TextType}
   */
  public String text(int ident, int textType) throws IOException {
    return request(Text.class, new TextReq(0, ident, textType)).text();
  }

  /**
   * Labels; of instances only those that the last profile lets through.
   *
   * @param labelType one of {@link org.jmmv.pcp.LabelType}
   */
  public Label labels(int ident, int labelType) throws IOException {
    return request(Label.class, new LabelReq(0, ident, labelType));
  }

  /**
   * The values of metrics. Profile and fetch go out with one write, for the profile's client
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
   * Ends the connection. An agent that was started here gets an end of file and some seconds to
   * exit, then it is killed; when this returns, it has gone.
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
      // Nothing was left to be sent, and the agent has gone: that is all there is to closing.
    } finally {
      timer.close();
    }
  }
}
