package org.jmmv.cli;

import static org.jmmv.pcp.Printable.escaped;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jmmv.cli.command.Command;
import org.jmmv.cli.top.Top;
import org.jmmv.config.CommandOptions;
import org.jmmv.posix.Reason;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * The main class of {@code jmmv}, the tools for application developers and operators. The agent has
 * a main class of its own, {@link Main}, so that it loads nothing of the tools.
 */
public final class Tools extends CommandOptions {
  private static final String NAME = "jmmv";

  private final Map<String, Command> commands = new LinkedHashMap<>();

  private Tools() {
    super("Shows, checks and cleans up MMV files. PCP need not be installed.");
    spec()
        .name(NAME)
        .usageMessage()
        .customSynopsis(NAME + " [--help] [--version] COMMAND ...")
        .commandListHeading("%nCommands:%n")
        .footer("%nOutput escapes every byte that is not printable ASCII, but for the live table.")
        .sortOptions(true);
    addVersion(NAME);
    commands.put("check", new Check());
    commands.put("dump", new Dump());
    commands.put("top", new Top());
    commands.put("clean", new Clean());
    commands.put("serve", new Serve());
    commands.forEach((name, command) -> spec().addSubcommand(name, command.spec()));
    spec().addSubcommand("help", help());
  }

  private CommandSpec help() {
    PositionalParamSpec command =
        PositionalParamSpec.builder()
            .paramLabel("COMMAND")
            .description("the command; without it, the list of commands is printed")
            .type(String.class)
            .arity("0..1")
            .index("0")
            .completionCandidates(List.copyOf(commands.keySet()))
            .build();
    CommandSpec help =
        CommandSpec.wrapWithoutInspection((Runnable) () -> printHelp(command.getValue()));
    help.helpCommand(true).usageMessage().description("print the usage of a command");
    return help.addPositional(command);
  }

  private void printHelp(String name) {
    CommandLine top = spec().commandLine();
    CommandLine wanted = name == null ? top : top.getSubcommands().get(name);
    if (wanted == null) {
      throw wrong("there is no command \"" + name + "\"");
    }
    wanted.usage(top.getOut());
  }

  /** Returns the parser of the command line of {@code jmmv}, with all commands. */
  public static CommandLine newCommandLine() {
    return new Tools().commandLine();
  }

  /**
   * Runs a command. The launcher {@code jmmv} selects the JVM and its options.
   *
   * @param args the command and its options
   */
  public static void main(String[] args) {
    System.setProperty(LogFormat.PROGRAM, NAME);
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
      int status = new Tools().run(args, environment, out, err::println);
      out.flush();
      return status;
    } catch (ParameterException e) {
      err.println(refusal(e));
    } catch (IOException e) {
      if ("Broken pipe".equals(e.getMessage())) {
        return Command.GOOD; // for example head(1) reads no more
      }
      err.println("jmmv: " + escaped(message(e)));
    }
    return Command.FAILED;
  }

  /** Returns the message, in which the JDK has only the path if it has a name for the reason. */
  static String message(IOException e) {
    return e instanceof FileSystemException file && file.getReason() == null
        ? file.getFile() + ": " + Reason.of(e)
        : String.valueOf(e.getMessage());
  }

  private int run(
      String[] args, Map<String, String> environment, Writer out, Consumer<String> warnings)
      throws IOException {
    ParseResult given = commandLine().setOut(new PrintWriter(out)).parseArgs(args);
    if (CommandLine.printHelpIfRequested(given)) {
      return Command.GOOD;
    }
    if (!given.hasSubcommand()) {
      throw wrong("a command is missing");
    }
    Command command = commands.get(given.subcommand().commandSpec().name());
    command.warning().ifPresent(warning -> warnings.accept("jmmv: " + warning));
    return command.run(environment, out);
  }
}
