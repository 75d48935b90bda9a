package org.jmmv.qa;

import java.net.MalformedURLException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.openqa.selenium.MutableCapabilities;
import org.openqa.selenium.remote.RemoteWebDriver;

/** WebKitGTK, which has the engine of Safari. Its window is on a display of its own. */
final class WebKitTab implements Tab {
  private final RemoteWebDriver driver;

  private WebKitTab(RemoteWebDriver driver) {
    this.driver = driver;
  }

  /** Starts the browser, which the directories of a test end. */
  static Tab start(TemporaryPcp pcp) {
    RunningProgram display =
        pcp.open(
            RunningProgram.start(
                pcp, "display", List.of("Xvfb", "-screen", "0", "1280x900x24", "-displayfd", "1")));
    Pattern number = Pattern.compile("^\\d+$", Pattern.MULTILINE); // among messages
    display.await("a display", () -> "", () -> number.matcher(display.output()).find());
    int port = PrivatePmcd.freePort();
    RunningProgram program =
        pcp.open(
            RunningProgram.start(
                pcp,
                "webkit",
                Map.of(
                    "DISPLAY",
                    ":" + display.output().replaceFirst("(?ms).*^(\\d+)\n.*", "$1"),
                    "LC_ALL",
                    "en_US.UTF-8", // or its language is "C", which uPlot refuses
                    "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS",
                    "1"), // root can't have it
                List.of("WebKitWebDriver", "--port=" + port)));
    program.await(
        "a driver",
        () -> "",
        () -> LocalHttp.print(new ThisMachine(), port, List.of("/status")).status() == 0);
    try {
      return pcp.open(
          new WebKitTab(
              new RemoteWebDriver(
                  URI.create("http://127.0.0.1:" + port).toURL(),
                  new MutableCapabilities(Map.of("browserName", "MiniBrowser")))));
    } catch (MalformedURLException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void open(String address) {
    driver.get(address);
  }

  @Override
  public String run(String script) {
    return String.valueOf(driver.executeScript(script));
  }

  @Override
  public void close() {
    driver.quit();
  }
}
