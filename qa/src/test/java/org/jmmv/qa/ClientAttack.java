package org.jmmv.qa;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What clients of {@code jmmv serve} can do to cost it time, memory, connections or log. Unless a
 * {@link RequestAttack} has users, all of them connect to its TCP ports from this machine, so that
 * they are one user.
 */
interface ClientAttack {
  /** Returns all attacks. */
  static List<ClientAttack> all() {
    return Stream.<ClientAttack[]>of(
            PcpClientAttack.values(), HttpClientAttack.values(), RequestAttack.values())
        .flatMap(Stream::of)
        .toList();
  }

  /** Returns an attack by its label. */
  static ClientAttack of(String label) {
    return all().stream().filter(each -> each.label().equals(label)).findFirst().orElseThrow();
  }

  /** Returns the name of the constant. */
  String name();

  /** Returns its name for the command line. */
  default String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns what it does, in a few words. */
  String what();

  /** Returns whether the clients use TLS. */
  boolean usesTls();

  /** Returns whether the collector must not grow however long the attack goes on. */
  default boolean isSoak() {
    return false;
  }

  /** Writes the files that the attack needs, before the collector starts. */
  default void begin(ClientSite site) throws IOException {}

  /** Attacks. The connections of a round are closed after it. */
  void round(ClientSite site) throws IOException;
}
