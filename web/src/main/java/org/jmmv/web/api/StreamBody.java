package org.jmmv.web.api;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jmmv.core.Catalog;
import org.jmmv.core.Turn;
import org.jmmv.serving.LongReply.Progress;
import org.jmmv.web.http.Body;
import org.jmmv.web.http.Failure;

/**
 * Values as server-sent events, each interval: {@code stream}. It is asked for an event when the
 * connection can take it, so that a slow reader gets the newest values, and not all of them.
 */
final class StreamBody implements Body {
  private final Subscription wanted;
  private final int millis; // the interval
  private final ScheduledExecutorService loop;
  private final Runnable resume; // has the next event written
  private Future<?> timer;
  private ValuesBody event; // null: there is none

  StreamBody(Subscription wanted, int millis, ScheduledExecutorService loop, Runnable resume) {
    this.wanted = wanted;
    this.millis = millis;
    this.loop = loop;
    this.resume = resume;
  }

  @Override
  public long bytes() {
    return event == null ? wanted.bytes() : event.bytes();
  }

  @Override
  public Progress write(Catalog catalog, ByteBuf out, Turn turn) throws Failure {
    if (event == null) {
      event = new ValuesBody(wanted, "data: ");
    }
    Progress progress = event.write(catalog, out, turn);
    if (progress == Progress.MORE) {
      return progress;
    }
    event = null;
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
