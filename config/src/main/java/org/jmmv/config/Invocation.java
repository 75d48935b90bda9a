package org.jmmv.config;

/** What a command line comes to. All texts end with a line end. */
public sealed interface Invocation {

  /** The agent is to start. */
  record Start(Options options) implements Invocation {}

  /** Something was asked for: this goes to standard output, and the exit status is 0. */
  record Print(String text) implements Invocation {}

  /** The command line is wrong: this goes to standard error, and the exit status is 1. */
  record Refuse(String text) implements Invocation {}
}
