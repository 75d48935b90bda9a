package org.jmmv.qa;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The man pages, as they are shipped. */
@Tag("quick")
final class ManPageTest {
  private static final Path PAGE = AgentCommand.HOME.resolve("pmdajmmv.1");
  private static final Path TOOLS = AgentCommand.HOME.resolve("jmmv.1");

  /** An option in all its forms, and its description. */
  private static final Pattern OPTION =
      Pattern.compile(
          "^ *((?:-\\S(?: \\w+)?, )?--[a-z0-9-]+(?:=\\w+)?)(.*?)(?=^ *-|\\z)",
          Pattern.MULTILINE | Pattern.DOTALL);

  /** A row of the table of limits: key, default, and what is limited. */
  private static final Pattern LIMIT =
      Pattern.compile("^([a-z-]+)\\t(\\d+|a quarter of the heap)\\t.+$", Pattern.MULTILINE);

  private static final Pattern DEFAULT =
      Pattern.compile("(\\d+)\\s+by\\s+default|(?:by\\s+default|default is) (\\d+)");

  @ParameterizedTest
  @ValueSource(strings = {"mandoc -Tlint", "groff -t -man -Tutf8 -ww -z"})
  void formattersFindNothingToComplainAbout(String formatter) {
    (formatter.startsWith("mandoc") ? Need.MANDOC : Need.GROFF).require();
    for (Path page : List.of(PAGE, TOOLS, PAGE.resolveSibling("jmmv.toml.5"))) {
      Shell.Result result = Shell.run(Map.of(), List.of((formatter + " " + page).split(" ")));
      assertEquals("", result.outOfSuccess() + result.err());
    }
  }

  @Test
  void itDescribesAllCommandsAndOptionsOfTheTools() {
    String page = TemporaryPcp.text(TOOLS).replaceAll("\\\\f.|\\\\", "");
    String help = Shell.jmmv(Map.of(), "help").outOfSuccess();
    for (String command : List.of("check", "clean", "dump", "help", "serve", "top")) {
      assertTrue(help.contains("\n  " + command + " "), help);
      assertTrue(page.contains("jmmv " + command + "\n"), command);
      help += Shell.jmmv(Map.of(), "help", command).outOfSuccess();
    }
    for (Matcher option = Pattern.compile("--[a-z-]+").matcher(help); option.find(); ) {
      assertTrue(page.contains(option.group()), option.group());
    }
  }

  @Test
  void itsOptionsAndTheirDefaultsAreThoseOfTheHelp() {
    String page = TemporaryPcp.text(PAGE);
    String options = page.substring(page.indexOf(".SH OPTIONS"), page.indexOf(".SH INSTALLATION"));
    String help =
        Shell.run(Map.of(), List.of(AgentCommand.JMMV.toString(), "--help")).outOfSuccess();
    assertEquals(
        optionsWithDefaults(help), optionsWithDefaults(options.replaceAll("\\\\f.|\\\\", "")));
  }

  @Test
  void theDefaultsOfTheSettingsAreThoseOfTheHelp() {
    String help =
        Shell.run(Map.of(), List.of(AgentCommand.JMMV.toString(), "--help")).outOfSuccess();
    Map<String, String> limits = new TreeMap<>();
    optionsWithDefaults(help)
        .forEach((option, number) -> {
          if (option.startsWith("--max-")) {
            limits.put(option.replaceAll("--max-|=num", ""), number);
          }
        });
    Map<String, String> rows = new TreeMap<>();
    LIMIT
        .matcher(TemporaryPcp.text(PAGE.resolveSibling("jmmv.toml.5")).replace("\\-", "-"))
        .results()
        .forEach(row -> rows.put(row.group(1), row.group(2).replaceAll("\\D.*", "")));
    assertEquals(limits, rows);
  }

  /**
   * Returns the default of each option, as in {@code -d num, --domain=num}; empty if it is not a
   * number.
   */
  private static Map<String, String> optionsWithDefaults(String text) {
    Map<String, String> options = new TreeMap<>();
    for (Matcher option = OPTION.matcher(text); option.find(); ) {
      Matcher number = DEFAULT.matcher(option.group(2));
      String found = number.find() ? number.group().replaceAll("\\D", "") : "";
      options.put(option.group(1).toLowerCase(Locale.ROOT), found);
    }
    return options;
  }
}
