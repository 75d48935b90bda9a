package org.jmmv.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The way to an agent, and what can be known about it from here. */
sealed interface AgentLink permits ChildLink, SocketLink {

  InputStream in();

  OutputStream out();

  /** Its process id, if it was started from here. */
  OptionalLong pid();

  /** What it exited with, if it was started from here and has. */
  OptionalInt exitStatus();

  /** Which agent this is, for messages. */
  String describe();

  /** What became of an agent that has ended the connection, for messages: "" or " and so on". */
  String fate();

  /** Cuts the connection at once; whoever reads or writes gets an exception or an end of file. */
  void cut();

  /** Ends the connection in good order, and waits for a process to end. */
  void close() throws IOException;
}
