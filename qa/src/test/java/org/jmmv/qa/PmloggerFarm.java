package org.jmmv.qa;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The pmloggers of several hosts, which pmlogger_check(1) starts from a control file. */
final class PmloggerFarm implements AutoCloseable {
  private static final String CHECK = "/usr/lib/pcp/bin/pmlogger_check";

  private final TemporaryPcp pcp;
  private final Path control;

  /**
   * Starts them.
   *
   * @param name that of the control file, which has these lines
   */
  static PmloggerFarm start(TemporaryPcp pcp, String name, String lines) {
    Need.PCP.require();
    Need.ROOT.require(); // to become the user pcp
    try {
      for (String directory : List.of("tmp", "tmp/pmlogger", "run", "run/pmlogger", "log")) {
        open(pcp.file(directory));
      }
      open(archives(pcp));
      Path control = Files.writeString(pcp.file(name), lines);
      PmloggerFarm farm = new PmloggerFarm(pcp, control);
      farm.check();
      return farm;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private PmloggerFarm(TemporaryPcp pcp, Path control) {
    this.pcp = pcp;
    this.control = control;
  }

  private static void open(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  /** Returns the directory with one directory of archives for each host. */
  static Path archives(TemporaryPcp pcp) {
    return pcp.file("log/pmlogger");
  }

  /** Returns the variables for programs that read or write the archives. */
  static Map<String, String> environment(TemporaryPcp pcp) {
    return Map.of(
        "PCP_TMP_DIR", pcp.file("tmp").toString(),
        "PCP_RUN_DIR", pcp.file("run").toString(),
        "PCP_LOG_DIR", pcp.file("log").toString(),
        "PCP_ARCHIVE_DIR", archives(pcp).toString(),
        "PMCD_RECONNECT_TIMEOUT", "1"); // the default is 5 s, then 10 s, and so on
  }

  /** Starts those that do not run, as cron or a timer of systemd does twice an hour. */
  void check() {
    run();
  }

  private void run(String... options) {
    // as PCP's timer does; older versions become this user themselves
    List<String> command = new ArrayList<>(List.of("runuser", "-u", "pcp", "--", CHECK));
    Path log = pcp.file("log/pmlogger_check.log");
    command.addAll(List.of("-c", control.toString(), "-l", log.toString()));
    command.addAll(List.of(options));
    Shell.run(environment(pcp), command).outOfSuccess();
    String complaints = TemporaryPcp.text(log);
    if (complaints.contains("Error")) {
      throw new AssertionError(complaints);
    }
  }

  /** Returns the processes that log a host, by the argument of their option -h. */
  List<ProcessHandle> of(FleetHost host) {
    String argument = " -h " + host.pcpAddress() + " ";
    return ProcessHandle.allProcesses()
        .filter(process -> commandLine(process).contains(argument))
        .filter(process -> commandLine(process).contains("bin/pmlogger "))
        .toList();
  }

  private static String commandLine(ProcessHandle process) {
    return TemporaryPcp.text(Path.of("/proc/" + process.pid() + "/cmdline")).replace('\0', ' ');
  }

  /** Returns the log of the pmlogger whose archives are in a directory. */
  String log(String directory) {
    return TemporaryPcp.text(archives(pcp).resolve(directory).resolve("pmlogger.log"));
  }

  /** Returns what pmdumplog(1) prints of a metric in all archives of a directory. */
  String dump(String directory, String metric) {
    List<String> printed = new ArrayList<>();
    Path archives = archives(pcp).resolve(directory);
    try (DirectoryStream<Path> indexes = Files.newDirectoryStream(archives, "*.index")) {
      for (Path index : indexes) {
        String archive = index.toString().replace(".index", "");
        printed.add(Shell.run(environment(pcp), List.of("pmdumplog", archive, metric)).out());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return printed.stream().collect(Collectors.joining("\n"));
  }

  @Override
  public void close() {
    run("-s");
  }
}
