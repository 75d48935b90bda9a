package org.jmmv.cli;

import static org.jmmv.pcp.Printable.printable;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jmmv.config.AgentCommand;
import org.jmmv.config.ToolCommand;
import org.jmmv.posix.Reason;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The main class of {@code jmmv}. The agent has a main class of its own, {@link Main}, so that it
 * loads nothing of the tools.
 */
public final class Tools {
  private Tools() {}

  /**
   * Runs a command. The launcher {@code jmmv} selects the JVM and its options.
   *
   * @param args the command and its options, see {@link ToolCommand}
   */
  public static void main(String[] args) {
    System.setProperty(LogFormat.PROGRAM, "jmmv");
    Writer out =
        new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.US_ASCII);
    System.exit(run(args, System.getenv(), out, System.err));
  }

  /**
   * Runs a command.
   *
   * @param environment the environment variables
   * @param out receives what the command prints, printable ASCII
   * @param err receives why it fails
   * @return the exit status
   */
  static int run(String[] args, Map<String, String> environment, Writer out, PrintStream err) {
    try {
      ParseResult given = ToolCommand.commandLine().parseArgs(args);
      if (isIgnored(given.subcommand())) {
        err.println("jmmv: with --once, --samples is ignored: the table is printed once");
      }
      int status = run(given, environment, out);
      out.flush();
      return status;
    } catch (ParameterException e) {
      err.println(AgentCommand.refusal(e));
    } catch (IOException e) {
      if ("Broken pipe".equals(e.getMessage())) {
        return ExitStatus.GOOD; // for example head(1) reads no more
      }
      err.println("jmmv: " + printable(message(e)));
    }
    return ExitStatus.FAILED;
  }

  private static boolean isIgnored(ParseResult command) {
    return command != null
        && command.commandSpec().name().equals("top")
        && command.hasMatchedOption("--once")
        && command.hasMatchedOption("--samples");
  }

  /** Returns the message, in which the JDK has only the path if it has a name for the reason. */
  private static String message(IOException e) {
    return e instanceof FileSystemException file && file.getReason() == null
        ? file.getFile() + ": " + Reason.of(e)
        : String.valueOf(e.getMessage());
  }

  private static int run(ParseResult given, Map<String, String> environment, Writer out)
      throws IOException {
    CommandLine top = given.commandSpec().commandLine();
    if (given.isVersionHelpRequested()) {
      print(out, top::printVersionHelp);
      return ExitStatus.GOOD;
    }
    if (!given.hasSubcommand()) {
      if (!given.isUsageHelpRequested()) {
        throw new ParameterException(top, "a command is missing");
      }
      print(out, top::usage);
      return ExitStatus.GOOD;
    }
    ParseResult command = given.subcommand();
    if (command.isUsageHelpRequested()) {
      print(out, command.commandSpec().commandLine()::usage);
      return ExitStatus.GOOD;
    }
    return switch (command.commandSpec().name()) {
      case "help" -> help(top, command.matchedPositionalValue(0, ""), out);
      case "dump" -> Dump.run(path(command), command.hasMatchedOption("--json"), out);
      case "check" -> {
        List<Path> paths = command.matchedPositionalValue(0, List.of());
        Optional<String> user =
            Optional.ofNullable(command.matchedOptionValue("-U", (String) null));
        Check.Options options =
            new Check.Options(
                paths,
                command.hasMatchedOption("--json"),
                command.hasMatchedOption("--quiet"),
                command.matchedOptionValue("--watch", Duration.ZERO),
                user);
        yield Check.run(options, environment, out);
      }
      case "top" -> Top.run(command, environment, out);
      case "clean" -> {
        Optional<Duration> stale =
            Optional.ofNullable(command.matchedOptionValue("--stale", (Duration) null));
        yield Clean.run(path(command), stale, command.hasMatchedOption("--dry-run"), out);
      }
      case "serve" -> Serve.run(command, environment, out);
      default -> throw new IllegalStateException(command.commandSpec().name());
    };
  }

  private static Path path(ParseResult command) {
    return command.matchedPositionalValue(0, (Path) null);
  }

  private static int help(CommandLine top, String name, Writer out) throws IOException {
    CommandLine wanted = name.isEmpty() ? top : top.getSubcommands().get(name);
    if (wanted == null) {
      throw new ParameterException(top, "there is no command \"" + name + "\"");
    }
    print(out, wanted::usage);
    return ExitStatus.GOOD;
  }

  private interface Printing {
    void to(PrintWriter writer);
  }

  private static void print(Writer out, Printing text) throws IOException {
    StringWriter lines = new StringWriter();
    text.to(new PrintWriter(lines));
    out.write(lines.toString());
  }
}
