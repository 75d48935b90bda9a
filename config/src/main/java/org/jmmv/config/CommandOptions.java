package org.jmmv.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.jmmv.pcp.Printable.printable;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The options and parameters of a command. Each is a field of a subclass, which is created with all
 * that there is to say about it: its names, its text in the usage message, and the conversion of
 * its value. After the command line was parsed, the field has the value.
 *
 * <p>It uses picocli's programmatic API, because reading annotations would add 30 ms to each start.
 */
public abstract class CommandOptions {
  /** What {@link DefaultDirectories} are, in the words of a usage message. */
  protected static final String DEFAULT_DIRECTORIES =
      "those of jmmv.toml, or $PCP_TMP_DIR/mmv, or without PCP /var/tmp/mmv and /tmp/mmv";

  private final CommandSpec spec;

  protected CommandOptions() {
    spec = CommandSpec.create();
    spec.usageMessage().optionListHeading("%nOptions:%n").sortOptions(false);
  }

  /** Creates a command with a description and the option {@code --help}. */
  protected CommandOptions(String description) {
    this();
    spec.usageMessage().description(description).parameterListHeading("%n");
    spec.addOption(flagOf("print this text and exit", "-? -h --help").usageHelp(true).build());
  }

  /** An option or parameter. */
  public static final class Arg<T> {
    private final ArgSpec spec;

    private Arg(ArgSpec spec) {
      this.spec = spec;
    }

    /** Returns the value, or empty if the command line has none. */
    public Optional<T> value() {
      return Optional.ofNullable(spec.getValue());
    }

    /** Returns the value, or another one if the command line has none. */
    public T or(T byDefault) {
      return value().orElse(byDefault);
    }

    /** Returns whether the command line has it. */
    public boolean isGiven() {
      return value().isPresent();
    }

    /** Returns the first name of an option. */
    String name() {
      return ((OptionSpec) spec).names()[0];
    }
  }

  /** Returns what picocli knows about the command. */
  public final CommandSpec spec() {
    return spec;
  }

  protected final <T> Arg<T> add(OptionSpec.Builder option) {
    OptionSpec built = option.build();
    spec.addOption(built);
    return new Arg<>(built);
  }

  /**
   * Adds an option that has a value.
   *
   * @param value what the usage message calls the value
   * @param names the names, separated by blanks
   * @param converter throws an IllegalArgumentException with a message if a value is invalid
   */
  protected final <T> Arg<T> option(
      String value, String text, Function<String, T> converter, String names) {
    return add(builder(value, text, converter, names));
  }

  /** Adds an option that may be repeated; see {@link #option}. */
  protected final <T> Arg<List<T>> options(
      String value, String text, Function<String, T> converter, String names) {
    return add(builder(value, text, converter, names).type(List.class));
  }

  /** Adds an option whose value is the path of a file. */
  protected final Arg<Path> file(String text, String names) {
    return add(builder("FILE", text, Converters::file, names).type(Path.class));
  }

  /** Adds an option without a value. */
  protected final Arg<Boolean> flag(String text, String names) {
    return add(flagOf(text, names));
  }

  protected final void addVersion(String command) {
    spec.versionProvider(() -> new String[] {command + " version " + version()});
    Arg<Boolean> _ = add(flagOf("print the version and exit", "--version").versionHelp(true));
  }

  /** Adds options without values that exclude each other. */
  protected final List<Arg<Boolean>> exclusive(OptionSpec.Builder... flags) {
    List<OptionSpec> options = Stream.of(flags).map(OptionSpec.Builder::build).toList();
    ArgGroupSpec.Builder group = ArgGroupSpec.builder().exclusive(true);
    options.forEach(group::addArg);
    spec.addArgGroup(group.build());
    return options.stream().map(option -> new Arg<Boolean>(option)).toList();
  }

  /** Returns a builder of a {@link #flag}. */
  protected static OptionSpec.Builder flagOf(String text, String names) {
    return OptionSpec.builder(names.split(" ")).description(text).arity("0").type(boolean.class);
  }

  /** Returns a builder of an {@link #option}. */
  protected static OptionSpec.Builder builder(
      String value, String text, Function<String, ?> converter, String names) {
    return OptionSpec.builder(names.split(" "))
        .paramLabel(value)
        .description(text)
        .arity("1")
        .converters(forPicocli(converter));
  }

  /** Adds the parameter of a command that has a single one, the path of a file or directory. */
  protected final Arg<Path> parameter(String label, String text) {
    return add(
        parameterOf(label, text, Converters::path).type(Path.class).required(true).index("0"));
  }

  /** Adds the parameters of a command, which are paths of files or directories. */
  protected final Arg<List<Path>> parameters(
      String label, String text, Function<String, Path> converter) {
    return add(
        parameterOf(label, text, converter)
            .type(List.class)
            .auxiliaryTypes(Path.class)
            .arity("0..*")
            .index("0..*")
            .required(false));
  }

  /** Adds the parameters of a command that are directories of MMV files. */
  protected final Arg<List<Path>> directories(String text) {
    return parameters("DIR", text + "; by default " + DEFAULT_DIRECTORIES, Converters::directory);
  }

  /** Returns the directories, of which there are not too many, and each once. */
  protected final List<Path> checked(Arg<List<Path>> directories) {
    List<Path> given = directories.or(List.of());
    if (given.size() > Converters.MAX_VALUES || Set.copyOf(given).size() < given.size()) {
      throw wrong(
          "at most %d directories can be given, each of them once"
              .formatted(Converters.MAX_VALUES));
    }
    return given;
  }

  private <T> Arg<T> add(PositionalParamSpec.Builder parameter) {
    PositionalParamSpec built = parameter.build();
    spec.addPositional(built);
    return new Arg<>(built);
  }

  private static PositionalParamSpec.Builder parameterOf(
      String label, String text, Function<String, Path> converter) {
    return PositionalParamSpec.builder()
        .paramLabel(label)
        .description(text)
        .converters(forPicocli(converter));
  }

  private static ITypeConverter<?> forPicocli(Function<String, ?> converter) {
    return text -> {
      try {
        return converter.apply(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    };
  }

  /** Returns a parser of command lines. It also prints the usage message and the version. */
  public final CommandLine commandLine() {
    return new CommandLine(spec)
        .setAbbreviatedOptionsAllowed(true)
        .setAllowOptionsAsOptionParameters(true)
        .setExpandAtFiles(false);
  }

  /**
   * Returns an exception that says what is wrong with the command line, for the caller to throw.
   */
  protected final ParameterException wrong(String reason) {
    return new ParameterException(spec.commandLine(), reason);
  }

  /**
   * Returns a line that reports an invalid command line: printable ASCII, without a line
   * terminator.
   */
  public static String refusal(ParameterException wrong) {
    String name = wrong.getCommandLine().getCommandSpec().qualifiedName();
    String line = name + ": ";
    if (isEmpty(wrong)) {
      line += "an argument is empty";
    } else if (wrong.getCause() instanceof IndexOutOfBoundsException) {
      // thrown by picocli 4.7.7 for "-"
      line += "\"" + wrong.getValue() + "\" is not an option";
    } else {
      line += wrong.getMessage().replaceFirst("^Error: ", "");
    }
    if (wrong instanceof UnmatchedArgumentException unmatched) {
      List<String> suggestions = suggestions(unmatched);
      line +=
          suggestions.isEmpty() ? "" : "; did you mean " + String.join(" or ", suggestions) + "?";
    }
    return printable(line) + " (see " + name + " --help)";
  }

  /** Picocli 4.7.7 throws an IndexOutOfBoundsException for an empty argument before {@code --}. */
  private static boolean isEmpty(ParameterException wrong) {
    return wrong instanceof UnmatchedArgumentException unmatched
        ? unmatched.getUnmatched().getFirst().isEmpty()
        : wrong.getCause() instanceof IndexOutOfBoundsException && "".equals(wrong.getValue());
  }

  /** Returns what picocli takes a mistyped option to be, and the nearest command for a command. */
  private static List<String> suggestions(UnmatchedArgumentException wrong) {
    String word = wrong.getUnmatched().getFirst();
    return word.startsWith("-")
        ? wrong.getSuggestions()
        : Suggestion.nearest(word, wrong.getCommandLine().getSubcommands().keySet()).stream()
            .toList();
  }

  /** Returns the version of jmmv with its commit, for example {@code 1.2.3 (1a2b3c4)}. */
  public static String version() {
    try (InputStream in = CommandOptions.class.getResourceAsStream("version")) {
      return new String(in.readAllBytes(), UTF_8).strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
