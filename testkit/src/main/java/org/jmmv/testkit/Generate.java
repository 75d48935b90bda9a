package org.jmmv.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command with which {@code bench/compare} writes its MMV files. */
@Command(
    name = "generate",
    description = "Writes MMV files whose metrics are all alike.",
    showDefaultValues = true)
public final class Generate implements Callable<Integer> {
  @Parameters(paramLabel = "DIR", description = "Where to write; created if it is missing.")
  private Path directory;

  @Option(names = "--name", description = "Files are called NAME0, NAME1 and so on.")
  private String name = "app";

  @Option(names = "--files", description = "Number of files.")
  private int files = 1;

  @Option(names = "--metrics", description = "Metrics in each file.")
  private int metrics = 10;

  @Option(names = "--instances", description = "Instances of each metric, 0 for singular metrics.")
  private int instances;

  @Option(names = "--type", description = "Type of all values: ${COMPLETION-CANDIDATES}.")
  private MmvType type = MmvType.U64;

  @Option(names = "--version", description = "Version of the format; 1 to 3 can be served.")
  private int version = 1;

  @Option(
      names = "--clusters",
      description =
          "Spread the files evenly over the clusters 1 to N, with different items in each; 0"
              + " leaves the choice to the agent, which has only 4,095 to give.")
  private int clusters;

  /** Runs the command; the exit status is 2 if an option is wrong. */
  public static void main(String[] args) {
    System.exit(
        new CommandLine(new Generate()).setCaseInsensitiveEnumValuesAllowed(true).execute(args));
  }

  @Override
  public Integer call() throws IOException {
    Files.createDirectories(directory);
    UniformFile file = new UniformFile(version, metrics, instances, type);
    ByteBuffer same = clusters == 0 ? file.writer(0).image() : null;
    for (int f = 0; f < files; f++) {
      ByteBuffer image = same == null ? file.spread(f, clusters).image() : same;
      MmvWriter.write(image, directory, name + f);
    }
    return 0;
  }
}
