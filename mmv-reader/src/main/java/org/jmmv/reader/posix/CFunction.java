package org.jmmv.reader.posix;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.Charset;
import java.util.Collections;

/**
 * A function of the C library.
 *
 * <p>All functions are called with one signature: six 64-bit arguments and a 64-bit result. On
 * x86-64 and AArch64 the first six integer or pointer arguments travel in registers, and a function
 * does not look at the registers of arguments that it does not have. Linking a second signature
 * takes 5 to 7 ms at its first call, with an AOT cache, too.
 *
 * @param address of the function's code
 */
@SuppressWarnings("restricted") // calling C is what this class is for
record CFunction(MemorySegment address) {
  /** How Java turns paths and user names into bytes. */
  static final Charset CHARSET = Charset.forName(System.getProperty("sun.jnu.encoding"));

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

  /** The errno of each thread's last call. */
  private static final ThreadLocal<MemorySegment> CALL_STATE =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE));

  /** The function of this name, which takes up to six integers or pointers. */
  static CFunction of(String name) {
    return new CFunction(LINKER.defaultLookup().findOrThrow(name));
  }

  /** The error number (errno(3)) of this thread's last call, if that call failed. */
  static int errno() {
    return CALL_STATE.get().get(JAVA_INT, ERRNO);
  }

  /** The message for {@link #errno}, "Permission denied". */
  static String errorMessage() {
    return memory(of("strerror").call(errno()), MAX_MESSAGE).getString(0);
  }

  /**
   * The memory at a pointer that a function has returned.
   *
   * @param size in bytes; not checked
   */
  static MemorySegment memory(long address, long size) {
    return MemorySegment.ofAddress(address).reinterpret(size);
  }

  /** Calls the function. Where it returns an int, only the lower half of the result is defined. */
  long call() {
    return call(0);
  }

  /** As {@link #call()}, with one argument. */
  long call(long a) {
    return call(a, 0);
  }

  /** As {@link #call()}, with two arguments. */
  long call(long a, long b) {
    return call(a, b, 0);
  }

  /** As {@link #call()}, with three arguments. */
  long call(long a, long b, long c) {
    return call(a, b, c, 0, 0, 0);
  }

  /** As {@link #call()}, with six arguments. */
  long call(long a, long b, long c, long d, long e, long f) {
    try {
      return (long) CALL.invokeExact(address, CALL_STATE.get(), a, b, c, d, e, f);
    } catch (Throwable t) {
      throw new AssertionError(t);
    }
  }
}
