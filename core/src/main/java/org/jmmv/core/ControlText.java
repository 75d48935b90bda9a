package org.jmmv.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.function.Supplier;
import org.jmmv.pcp.Instance;
import org.jmmv.pcp.ValueSink;

/** A singular control metric whose value is a string. */
class ControlText extends ControlMetric {
  private final Supplier<String> value;

  ControlText(
      int domain, int item, String name, Kind kind, HelpTexts texts, Supplier<String> value) {
    super(domain, item, name, kind, texts);
    this.value = value;
  }

  @Override
  public void read(InstanceFilter filter, ValueSink sink) {
    byte[] text = value.get().getBytes(ISO_8859_1);
    sink.text(Instance.NULL, text, 0, text.length);
  }
}
