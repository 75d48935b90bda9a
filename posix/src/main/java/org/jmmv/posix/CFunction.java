package org.jmmv.posix;

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
 * <p>All functions are called with the same signature: six 64-bit arguments and a 64-bit result.
 * The calling conventions of x86-64 and AArch64 permit that: the first six integer or pointer
 * arguments are in registers, and a function ignores the registers of arguments that it does not
 * have. Linking a second signature would take 5 to 7 ms at its first call, even with an AOT cache.
 *
 * @param address the address of the function's code
 */
@SuppressWarnings("restricted") // the purpose of this class is to call C
record CFunction(MemorySegment address) {
  /** The character set with which Java encodes paths and user names. */
  static final Charset CHARSET = Charset.forName(System.getProperty("sun.jnu.encoding"));

  /** Whether the architecture is x86-64; otherwise it is AArch64. */
  static final boolean ON_X86 = System.getProperty("os.arch").equals("amd64");

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

  /** The memory that receives errno, one per thread. */
  private static final ThreadLocal<MemorySegment> CALL_STATE =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(STATE));

  /**
   * Returns the function with a name. It must have at most six arguments, all of them integers or
   * pointers.
   */
  static CFunction of(String name) {
    return new CFunction(LINKER.defaultLookup().findOrThrow(name));
  }

  /**
   * Returns the error number (errno(3)) of this thread's last call. It is defined only if that call
   * has failed.
   */
  static int errno() {
    return CALL_STATE.get().get(JAVA_INT, ERRNO);
  }

  /** Returns an exception for {@link #errno}, with a message such as "Permission denied". */
  static PosixException error() {
    int errno = errno(); // strerror may change it
    String message = memory(of("strerror").call(errno), MAX_MESSAGE).getString(0);
    return new PosixException(errno, message);
  }

  /**
   * Returns the result of a call, unless it is that of a failure.
   *
   * @throws PosixException see {@link #error}
   */
  static long check(long result) throws PosixException {
    if ((int) result == -1) {
      throw error();
    }
    return result;
  }

  /** Returns the address of a string in C's form, which is valid until the arena is closed. */
  static long string(Arena arena, String text) {
    return arena.allocateFrom(text, CHARSET).address();
  }

  /**
   * Returns the memory at an address that a function has returned.
   *
   * @param size the size in bytes, which is not checked
   */
  static MemorySegment memory(long address, long size) {
    return MemorySegment.ofAddress(address).reinterpret(size);
  }

  /**
   * Calls the function. If its result is an {@code int}, the upper 32 bits of the returned value
   * are undefined.
   */
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
