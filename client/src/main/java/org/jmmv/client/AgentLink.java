package org.jmmv.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The transport to an agent: streams in both directions, and the state of its process, if known.
 */
sealed interface AgentLink permits ChildLink, SocketLink {

  InputStream in();

  OutputStream out();

  /** Returns the agent's process id, if this class started it. */
  OptionalLong pid();

  /** Returns the agent's exit status, if this class started it and it has ended. */
  OptionalInt exitStatus();

  /** Returns a description of the agent for messages, such as {@code the agent pmdammv}. */
  String describe();

  /** Returns a supplement to messages about a failed connection: "", or "; " and more. */
  String fate();

  /**
   * Ends the connection at once. Blocked reads and writes end with an exception or an end of file.
   */
  void cut();

  /** Closes the connection, and waits for the end of a process that was started. */
  void close() throws IOException;
}
