package org.jmmv.serving;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TimeZone;
import org.jmmv.core.PmcdFacts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What this machine says of itself is compared with what its own commands say. */
class ThisHostTest {
  /** Returns what a shell command prints, without the line's end. */
  private static String output(String command) throws IOException {
    Process process = new ProcessBuilder("sh", "-c", command).start();
    return new String(process.getInputStream().readAllBytes(), ISO_8859_1).strip();
  }

  @Test
  void theNameIsTheKernelsAndTheProcessThisOne() throws IOException {
    PmcdFacts facts = ThisHost.facts(Map.of(), "1.2.3");
    assertEquals(output("uname -n"), facts.hostname());
    assertEquals(ProcessHandle.current().pid(), facts.pid());
    assertEquals("1.2.3", facts.version());
  }

  /** In a year whose transitions have not been decided, and so follow the rule of the zone. */
  @Test
  void theTimeZoneIsThatOfTheMachineUnlessTheEnvironmentHasAnother() throws IOException {
    String zone = ThisHost.facts(Map.of(), "").timezone();
    String both = "date -d 2100-01-01 +%Z%z; date -d 2100-07-01 +%Z%z";
    assertEquals(output("unset TZ; " + both), output("export TZ='" + zone + "'; " + both));
    assertNotEquals("UTC0", zone, "pmcd says UTC");
    assertEquals("AEST-10", ThisHost.facts(Map.of("TZ", "AEST-10"), "").timezone());
  }

  @ParameterizedTest
  @CsvSource({"Australia/Brisbane, :Australia/Brisbane", "GMT+10, ", "UTC, "})
  void theFileOfTheTimeZoneIsKnownIfJavaNamesOne(String zone, String file) {
    TimeZone before = TimeZone.getDefault();
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    try {
      assertEquals(Optional.ofNullable(file), ThisHost.facts(Map.of(), "").zoneinfo());
    } finally {
      TimeZone.setDefault(before);
    }
  }

  @Test
  void theLabelsAreThoseOfPmcd() throws IOException {
    String domain = output("cat /proc/sys/kernel/domainname");
    String id = output("cat /etc/machine-id");
    assertEquals(
        "{\"domainname\":\"%s\",\"hostname\":\"%s\",\"machineid\":\"%s\"}"
            .formatted(
                domain.equals("(none)") ? "localdomain" : domain,
                output("uname -n"),
                id.isEmpty() ? "localmachine" : id),
        ThisHost.labels().json());
  }
}
