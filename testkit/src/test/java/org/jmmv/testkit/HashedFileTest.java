package org.jmmv.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files are those that Speed and Hornet wrote, with process 1. */
class HashedFileTest {
  @ParameterizedTest
  @CsvSource({
    "speed_test1, c8f98368da440442364e5a02c26c8a0d359a442c5e3da4320cc4b340cf00e6b1",
    "speed_test2, 73832a1ce898de027b46e213f25f8244171cdc10ecd1cc3097f20ad49928dfae",
    "speed_test3, ef612ed4941b5f55410a148afb9ee30f90f351e9c44fed4379b8e4035df3fe58",
    "speed_test4, f4d423bb3cddc45f09b265ffb3d663d89b080f91c23d4cf7c14cb6027daf4193",
    "speed_test5, ee551ec21702f57c24daec0b63b39e04dcb34b5d3beef8fa1c28e5abc742b1f2",
    "hornet_ip6, d2cfad0331ef5aa55eed480e928aac50781bc4383403f0971f0af56fbd6b8bdf"
  })
  void hasTheBytesThatTheLibraryWrote(String name, String sha256) throws NoSuchAlgorithmException {
    byte[] image = HashedFiles.all().get(name);
    byte[] original = Fixtures.images().get(name);
    if (original != null) {
      assertArrayEquals(original, image);
    }
    assertEquals(
        sha256, HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(image)));
  }
}
