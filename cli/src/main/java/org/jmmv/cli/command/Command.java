package org.jmmv.cli.command;

import java.io.IOException;
import java.io.Writer;
import java.util.Map;
import java.util.Optional;
import org.jmmv.config.CommandOptions;

/** A command of {@code jmmv}: its options, and what it does. */
public abstract class Command extends CommandOptions {
  /** The exit status if there is nothing to complain about. */
  public static final int GOOD = 0;

  /** The exit status if a file has faults, or the server that was asked is not as it should be. */
  public static final int FAULTY = 1;

  /**
   * The exit status if the command can't do its work, for example because there is no such file.
   */
  public static final int FAILED = 2;

  /** Creates a command with the option {@code --help}. */
  protected Command(String description) {
    super(description);
  }

  /**
   * Does what the command line, which was parsed, asks for.
   *
   * @param environment the environment variables
   * @param out receives what the command prints, printable ASCII
   * @return the exit status
   * @throws IOException if that is not possible, or if {@code out} can't be written
   */
  public abstract int run(Map<String, String> environment, Writer out) throws IOException;

  /** Returns what to say about options that contradict each other. */
  public Optional<String> warning() {
    return Optional.empty();
  }
}
