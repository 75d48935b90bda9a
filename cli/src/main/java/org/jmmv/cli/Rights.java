package org.jmmv.cli;

import java.io.IOException;
import java.security.Security;
import java.util.Optional;
import org.jmmv.config.PcpConfig;
import org.jmmv.posix.PosixProcess;

/** Changes the user that the process runs as. */
final class Rights {
  /** The user if {@code PCP_USER} has no value, as for PCP's own agents. */
  private static final String PCP_USER = "pcp";

  private Rights() {}

  /**
   * Changes the user and all groups of the process, irrevocably: to the given user, or to {@code
   * $PCP_USER} (default {@code pcp}) if none is given and the process runs as root. To keep the
   * privileges of root, the given user has to be {@code root}.
   *
   * @param username the value of the option {@code -U}
   * @param config provides {@code PCP_USER}
   * @param needsLeases whether to keep the capability to ask whether files are open for writing
   * @throws IOException if the user does not exist, or if the process is not permitted to change to
   *     it
   */
  static void drop(Optional<String> username, PcpConfig config, boolean needsLeases)
      throws IOException {
    int self = PosixProcess.userId();
    if (self != 0 && username.isEmpty()) {
      return;
    }
    String pcpUser = config.get("PCP_USER");
    String name = username.orElse(pcpUser.isEmpty() ? PCP_USER : pcpUser);
    PosixProcess.User user = PosixProcess.user(name);
    if (user == null) {
      throw new IOException(
          "there is no user \"%s\"; -U selects another one, -U root keeps the privileges of root"
              .formatted(name));
    }
    if (user.uid() == self) {
      return;
    }
    try {
      if (needsLeases) {
        PosixProcess.becomeWithLeases(user);
      } else {
        PosixProcess.become(user);
      }
    } catch (IOException e) {
      throw new IOException("can't become user " + name + ": " + e.getMessage(), e);
    }
  }

  /**
   * As {@link #drop}, for a tool that judges with the rights of the agent. The process keeps its
   * user if none is given and PCP is not installed: there is neither {@code PCP_USER} nor a user
   * {@code pcp}.
   *
   * @return the user that the process then runs as
   */
  static String dropAsAgent(Optional<String> username, PcpConfig config) throws IOException {
    if (username.isPresent()
        || !config.get("PCP_USER").isEmpty()
        || PosixProcess.user(PCP_USER) != null) {
      openInstallation();
      drop(username, config, true);
    }
    return PosixProcess.userName();
  }

  /**
   * Opens what the JVM opens late. The installation may be where the new user can't open it, for
   * example in a home directory.
   */
  private static void openInstallation() {
    ClassLoader.getSystemResource("none"); // searches all jars and the modules of the JDK
    Security.getProviders(); // reads conf/security, for the names of temporary files
  }
}
