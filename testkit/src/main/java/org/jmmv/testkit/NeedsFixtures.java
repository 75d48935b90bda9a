package org.jmmv.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.EnabledIf;

/** A test that shows as skipped, with the reason, if the folder of {@link Fixtures} is missing. */
@EnabledIf(
    value = "org.jmmv.testkit.Fixtures#exist",
    disabledReason = "the folder shared/fixtures/mmv is not beside the project")
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface NeedsFixtures {}
