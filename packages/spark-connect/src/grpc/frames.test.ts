import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { frame, messagesIn } from "./frames.ts";
import { grpcCodes } from "./rpc-error.ts";

const read = async (chunks: readonly Uint8Array[], most = 1_000) =>
  (await Array.fromAsync(messagesIn(asStream(chunks), most))).map((message) =>
    Buffer.from(message).toString(),
  );

async function* asStream(chunks: readonly Uint8Array[]) {
  yield* chunks;
}

suite("messages of gRPC", () => {
  const both = Buffer.concat([
    frame(Buffer.from("one")),
    frame(Buffer.from("")),
    frame(Buffer.from("three")),
  ]);

  test("they are found wherever the stream is cut", async () => {
    assert.deepEqual(await read([both]), ["one", "", "three"]);
    assert.deepEqual(await read([...both].map((byte) => Uint8Array.of(byte))), ["one", "", "three"]);
  });

  test("a message that is too large is refused before it is read", async () => {
    await assert.rejects(read([frame(Buffer.alloc(11)).subarray(0, 5)], 10), /11 bytes; at most 10/);
  });

  test("a stream that ends in the middle is a server that is not there any more", async () => {
    await assert.rejects(read([both.subarray(0, -1)]), {
      code: grpcCodes.unavailable,
      message: /in the middle of a message/,
    });
  });
});
