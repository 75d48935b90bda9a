package org.jmmv.reader;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.util.Collections;

/**
 * A function of the C library, for Linux on x86-64 and AArch64.
 *
 * <p>All are called as if they took six words and returned one, whatever C calls these: integers
 * and pointers travel in registers there, and those that a function does not know of are not looked
 * at. To link another kind of call would cost many milliseconds when the agent starts.
 *
 * @param address where it begins
 */
@SuppressWarnings("restricted") // calling C is what this class is for
public record CFunction(MemorySegment address) {
  private static final Linker LINKER = Linker.nativeLinker();
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final long ERRNO =
      STATE.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
  private static final MethodHandle CALL =
      LINKER.downcallHandle(
          FunctionDescriptor.of(
              JAVA_LONG, Collections.nCopies(6, JAVA_LONG).toArray(MemoryLayout[]::new)),
          Linker.Option.captureCallState("errno"));
  private static final int MAX_MESSAGE = 256;

  /** What went wrong in the last call that was given this. */
  public static final class Errno {
    private final MemorySegment state;

    /** For the calls of one thread. */
    public Errno() {
      state = Arena.ofAuto().allocate(STATE);
    }

    /** The number, of those in errno(3). */
    public int number() {
      return state.get(JAVA_INT, ERRNO);
    }

    /** What the number means, "Permission denied". */
    public String message() {
      return memory(of("strerror").call(this, number()), MAX_MESSAGE).getString(0);
    }
  }

  /** The function of a name; it takes up to six integers or pointers. */
  public static CFunction of(String name) {
    return new CFunction(LINKER.defaultLookup().findOrThrow(name));
  }

  /**
   * The memory that a function has returned a pointer to.
   *
   * @param size in bytes; nobody checks it
   */
  public static MemorySegment memory(long address, long size) {
    return MemorySegment.ofAddress(address).reinterpret(size);
  }

  /** Calls the function with as many arguments as it takes; of an int the lower half counts. */
  public long call(Errno errno, long a) {
    return call(errno, a, 0);
  }

  /** Likewise. */
  public long call(Errno errno, long a, long b) {
    return call(errno, a, b, 0);
  }

  /** Likewise. */
  public long call(Errno errno, long a, long b, long c) {
    return call(errno, a, b, c, 0, 0, 0);
  }

  /** Likewise. */
  public long call(Errno errno, long a, long b, long c, long d, long e, long f) {
    try {
      return (long) CALL.invokeExact(address, errno.state, a, b, c, d, e, f);
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }
}
