package org.jmmv.web.api;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jmmv.core.Turn;
import org.jmmv.serving.LongReply.Progress;
import org.jmmv.web.http.Body;

/**
 * Values as server-sent events, each interval: {@code stream}. It is asked for an event when the
 * connection can take it, so that a slow reader gets the newest values, and not all of them.
 */
final class StreamBody implements Body {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final Subscription values;
  private final int millis;
  private final ScheduledExecutorService loop;
  private final Runnable resume;
  private Future<?> timer;

  /**
   * Creates a stream.
   *
   * @param millis the interval
   * @param loop the event loop
   * @param resume has the next event written
   */
  StreamBody(Subscription values, int millis, ScheduledExecutorService loop, Runnable resume) {
    this.values = values;
    this.millis = millis;
    this.loop = loop;
    this.resume = resume;
  }

  @Override
  public long bytes() {
    return values.bytes();
  }

  @Override
  public Progress write(ByteBuf out, Turn turn) {
    out.writeCharSequence("data: ", US_ASCII);
    try (JsonGenerator json =
        FACTORY.createGenerator((OutputStream) new ByteBufOutputStream(out))) {
      values.writeValues(json);
    } catch (IOException e) { // the output is a buffer
      throw new UncheckedIOException(e);
    }
    out.writeCharSequence("\n\n", US_ASCII);
    timer = loop.schedule(resume, millis, TimeUnit.MILLISECONDS);
    return Progress.WAITING;
  }

  @Override
  public void close() {
    if (timer != null) {
      timer.cancel(false);
    }
  }
}
