package org.jmmv.pmda;

import java.io.IOException;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jmmv.config.Invocation;
import org.jmmv.config.Options;
import org.jmmv.config.PcpConfig;
import org.jmmv.config.Transport;
import org.jmmv.protocol.PduDecoder;
import org.jmmv.protocol.PduEncoder;
import org.jmmv.protocol.PduFrameDecoder;
import org.jmmv.protocol.PduTracer;
import org.jmmv.reader.posix.PosixProcess;

/** The agent's process. It exits with 0 when pmcd has closed the connection, or for a signal. */
public final class Main {
  private static final Logger LOG = Logger.getLogger(Main.class.getName());

  private Main() {}

  /** Starts the agent; the launcher pmdajmmv says with which JVM and how. */
  public static void main(String[] args) {
    Thread.ofPlatform().daemon().start(StreamTransport::prepare);
    Shutdown shutdown = new Shutdown();
    Runtime.getRuntime().addShutdownHook(shutdown);
    LogFormat.install();
    int status = 1;
    try {
      status = run(Options.parse(args), shutdown);
    } catch (RuntimeException | Error e) { // or it would look like the good end that a signal is
      LOG.log(Level.SEVERE, "the agent ends", e);
    }
    shutdown.exit(status);
  }

  /** Does what the command line says; a pattern switch would take ten milliseconds to link. */
  private static int run(Invocation invocation, Shutdown shutdown) {
    if (invocation instanceof Invocation.Start start) {
      return run(start.options(), shutdown);
    } else if (invocation instanceof Invocation.Print print) {
      return print(print.text());
    }
    System.err.print(((Invocation.Refuse) invocation).text());
    return 1;
  }

  /** Writes to the standard output that the launcher was given. */
  private static int print(String text) {
    try {
      PosixProcess.duplicate(Connection.REPLY_DESCRIPTOR, 1);
      System.out.print(text);
      System.out.flush();
      return 0;
    } catch (IOException e) {
      LOG.log(Level.SEVERE, e.getMessage());
      return 1;
    }
  }

  private static int run(Options options, Shutdown shutdown) {
    try {
      PcpConfig config = PcpConfig.load(System.getenv());
      openLog(options, config);
      boolean onPipe = options.transport() instanceof Transport.Pipe;
      Connection pipe = onPipe ? Connection.pipe() : null;
      become(options, config);
      Path directory = config.path("PCP_TMP_DIR").resolve("mmv");
      Path clusters = config.path("PCP_VAR_DIR").resolve("config/pmda/jmmv.clusters");
      Agent agent =
          new Agent(directory, clusters, options.domain(), options.limits(), options.debug());
      Connection connection = onPipe ? pipe : Connection.accept(options.transport(), shutdown);
      return serve(connection, agent) ? 0 : 1;
    } catch (IOException e) {
      LOG.log(Level.SEVERE, e.getMessage());
      return 1;
    }
  }

  private static boolean serve(Connection connection, Agent agent) throws IOException {
    StreamTransport transport =
        new StreamTransport(
            connection.in(),
            connection.out(),
            new PduFrameDecoder(PduFrameDecoder.MAX_REQUEST),
            new PduTracer(agent.debug()::pdu, LOG::fine),
            new PduDecoder(),
            new PduEncoder(),
            new RequestHandler(agent));
    return transport.serve();
  }

  private static void openLog(Options options, PcpConfig config) {
    try {
      Path standard = config.path("PCP_LOG_DIR").resolve("pmcd").resolve("mmv.log");
      LogFile.open(options.log().orElse(standard));
    } catch (IOException e) {
      LOG.warning(e.getMessage() + "; logging to standard error");
    }
  }

  /** Drops root's rights, unless -U root asks to keep them. */
  private static void become(Options options, PcpConfig config) throws IOException {
    boolean root = PosixProcess.userId() == 0;
    if (!root && options.username().isEmpty()) {
      return;
    }
    String name = options.username().orElseGet(() -> config.get("PCP_USER"));
    PosixProcess.User user = PosixProcess.user(name);
    if (user == null) {
      throw new IOException("there is no user \"" + name + '"');
    }
    if (user.uid() == PosixProcess.userId()) {
      return;
    }
    try {
      PosixProcess.become(user);
    } catch (IOException e) {
      throw new IOException("can't become user " + name + ": " + e.getMessage(), e);
    }
  }
}
