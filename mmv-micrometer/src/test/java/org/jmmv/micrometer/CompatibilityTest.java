package org.jmmv.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.tck.MeterRegistryCompatibilityKit;
import java.nio.file.Path;
import java.time.Duration;
import org.jmmv.writer.MmvApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** Micrometer's own tests for registries. */
class CompatibilityTest extends MeterRegistryCompatibilityKit {
  @TempDir Path directory;

  @Override
  public MeterRegistry registry() {
    return new MmvMeterRegistry(MmvApplication.named("app").directory(directory), new MockClock());
  }

  @Override
  public Duration step() {
    return DistributionStatisticConfig.DEFAULT.getExpiry();
  }

  @AfterEach
  void close() {
    registry.close();
  }
}
