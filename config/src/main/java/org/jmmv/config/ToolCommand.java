package org.jmmv.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The command line of {@code jmmv}, the tools for application developers and operators. Like {@link
 * AgentCommand}, it uses picocli's programmatic API.
 */
public final class ToolCommand {
  private static final String NAME = "jmmv";

  /** The maximum length of the filter of {@code jmmv top}, in bytes. */
  public static final int MAX_FILTER = 100;

  private static final Duration LEAST_INTERVAL = Duration.ofMillis(100);
  private static final int MOST_SAMPLES = 999_999_999;

  private ToolCommand() {}

  /** Returns the parser of the command line. It also prints usage messages and the version. */
  public static CommandLine commandLine() {
    CommandSpec spec = CommandSpec.create().name(NAME);
    spec.versionProvider(() -> AgentCommand.version(NAME));
    spec.usageMessage()
        .customSynopsis(NAME + " [--help] [--version] COMMAND ...")
        .description("Shows, checks and cleans up MMV files. PCP need not be installed.")
        .commandListHeading("%nCommands:%n")
        .optionListHeading("%nOptions:%n")
        .footer("%nOutput escapes every byte that is not printable ASCII, but for the live table.");
    addHelp(spec);
    spec.addOption(
        AgentCommand.flag("print the version and exit", "--version").versionHelp(true).build());
    spec.addSubcommand(
        "check",
        command("say what of files is not served, why, what is lost by it, and what to do")
            .addPositional(
                positional("PATH", "files and directories; by default " + DefaultDirectories.RULE)
                    .type(List.class)
                    .auxiliaryTypes(Path.class)
                    .arity("0..*")
                    .required(false)
                    .index("0..*")
                    .build())
            .addOption(json())
            .addOption(
                AgentCommand.flag("do not show hints about what is served", "-q", "--quiet")
                    .build())
            .addOption(
                AgentCommand.option(
                        "SECONDS",
                        "watch counters for this time, and say which of them have decreased",
                        "-w",
                        "--watch")
                    .type(Duration.class)
                    .converters(ToolCommand::interval)
                    .build())
            .addOption(
                AgentCommand.option(
                        "USER",
                        "if started as root, judge as this user instead of $PCP_USER",
                        "-U",
                        "--username")
                    .build()));
    spec.addSubcommand(
        "dump",
        command("show what is in a file: header, sections, metrics, values, labels, faults")
            .addPositional(
                positional("FILE", "the file; it may be damaged, or being written").build())
            .addOption(json()));
    spec.addSubcommand("top", top());
    spec.addSubcommand(
        "clean",
        command(
                "remove the files whose process has ended (those with the PROCESS flag), only these")
            .addPositional(positional("DIR", "the directory").build())
            .addOption(
                AgentCommand.option(
                        "TIME",
                        "also remove files of any kind that no process has open for writing, and that were not"
                            + " written for this time, such as 30m, 1h or 2d",
                        "--stale")
                    .type(Duration.class)
                    .converters(ToolCommand::duration)
                    .build())
            .addOption(
                AgentCommand.flag("only print what would be removed", "-n", "--dry-run").build()));
    spec.addSubcommand("serve", ServeCommand.spec(command(ServeCommand.WHAT)));
    CommandSpec help = CommandSpec.create().helpCommand(true);
    help.usageMessage().description("print the usage of a command");
    help.addPositional(
        PositionalParamSpec.builder()
            .paramLabel("COMMAND")
            .description("the command; without it, the list of commands is printed")
            .type(String.class)
            .arity("0..1")
            .index("0")
            .completionCandidates(List.of("check", "dump", "top", "clean", "serve"))
            .build());
    spec.addSubcommand("help", help);
    return new CommandLine(spec)
        .setAbbreviatedOptionsAllowed(true)
        .setAllowOptionsAsOptionParameters(true)
        .setExpandAtFiles(false);
  }

  private static CommandSpec top() {
    return command("show all metrics with their values, rates and history, every second")
        .addPositional(
            ServeCommand.directories("the directories; by default " + DefaultDirectories.RULE))
        .addOption(
            AgentCommand.option(
                    "TEXT",
                    "show only values whose names contain this; * and ? in it stand for any"
                        + " characters; between slashes, it is a regular expression",
                    "-f",
                    "--filter")
                .converters(ToolCommand::filter)
                .build())
        .addOption(
            AgentCommand.option("SECONDS", "the time between two readings", "-t", "--interval")
                .type(Duration.class)
                .converters(ToolCommand::interval)
                .build())
        .addArgGroup(
            ArgGroupSpec.builder()
                .exclusive(true)
                .addArg(AgentCommand.flag("print a table once, with rates", "--once").build())
                .addArg(AgentCommand.flag("print a line of CSV for each value", "--csv").build())
                .addArg(AgentCommand.flag("print a line of JSON for each sample", "--json").build())
                .build())
        .addOption(
            AgentCommand.option(
                    "NUM", "with --csv and --json: stop after this number", "-s", "--samples")
                .type(Integer.class)
                .converters(value -> AgentCommand.numberUpTo(MOST_SAMPLES, value))
                .build());
  }

  private static Duration duration(String value) {
    return Durations.parse(value).orElseThrow(() -> AgentCommand.wrong(Durations.EXAMPLES, value));
  }

  private static String filter(String value) {
    if (value.getBytes(UTF_8).length > MAX_FILTER) {
      throw AgentCommand.wrong("a text of at most %d bytes".formatted(MAX_FILTER), value);
    }
    return value;
  }

  private static Duration interval(String value) {
    if (value.matches("[0-9]{1,5}(\\.[0-9]{1,3})?")) {
      Duration interval = Duration.ofMillis(new BigDecimal(value).movePointRight(3).intValue());
      if (interval.compareTo(LEAST_INTERVAL) >= 0) {
        return interval;
      }
    }
    throw AgentCommand.wrong("a number of seconds from 0.1 to 99999", value);
  }

  private static CommandSpec command(String description) {
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage()
        .description(description)
        .parameterListHeading("%n")
        .optionListHeading("%nOptions:%n")
        .sortOptions(false);
    addHelp(spec);
    return spec;
  }

  private static void addHelp(CommandSpec spec) {
    spec.addOption(
        AgentCommand.flag("print this text and exit", "-?", "-h", "--help")
            .usageHelp(true)
            .build());
  }

  private static CommandLine.Model.OptionSpec json() {
    return AgentCommand.flag("print JSON instead of text", "--json").build();
  }

  private static PositionalParamSpec.Builder positional(String label, String description) {
    return PositionalParamSpec.builder()
        .paramLabel(label)
        .description(description)
        .type(Path.class)
        .converters(AgentCommand::path)
        .arity("1")
        .required(true)
        .index("0");
  }
}
