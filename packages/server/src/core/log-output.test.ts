import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogOutput } from "./log-output.ts";

/** A destination that the test controls: it accepts chunks when told to. */
function destination() {
  const written: string[] = [];
  const pending: ((error: Error | null, length?: number) => void)[] = [];
  const output = createLogOutput(
    (chunk, done) => {
      pending.push((error, length = chunk.length) => {
        if (!error) written.push(chunk.subarray(0, length).toString());
        done(error, length);
      });
    },
    (dropped) => `dropped ${dropped}\n`,
  );
  const answer = (error: Error | null, length?: number) => pending.shift()?.(error, length);
  return { output, answer, text: () => written.join(""), pending };
}

test("lines are written in order, one chunk at a time, also if only a part is accepted", () => {
  const { output, answer, text, pending } = destination();
  for (const line of ["1\n", "2\n", "3\n"]) output.write(line);
  assert.equal(pending.length, 1);
  answer(null);
  answer(null, 3);
  answer(null);
  assert.deepEqual([text(), output.dropped()], ["1\n2\n3\n", 0]);
});

test("lines that cannot be written are dropped, and the next lines say how many", () => {
  const { output, answer, text } = destination();
  output.write("1\n");
  output.write("2\n");
  output.write("3\n");
  answer(new Error("ENOSPC"));
  answer(new Error("ENOSPC"));
  output.write("4\n");
  answer(null);
  assert.deepEqual([text(), output.dropped()], ["4\ndropped 3\n", 3]);
  output.write("5\n");
  answer(null);
  assert.equal(text(), "4\ndropped 3\n5\n");
});

test("a line that was written in part ends before the next one begins", () => {
  const { output, answer, text } = destination();
  output.write("first\n");
  answer(null, 2);
  answer(new Error("ENOSPC"));
  output.write("second\n");
  answer(null);
  assert.equal(text(), "fi\nsecond\ndropped 1\n");
});

test("while the reader is blocked at most a million characters wait", () => {
  const { output, answer, text } = destination();
  const line = `${"x".repeat(999)}\n`;
  for (let n = 0; n < 5_000; n++) output.write(line);
  assert.equal(output.dropped(), 3_999);
  answer(null);
  answer(null);
  assert.equal(text(), `${line.repeat(1_001)}dropped 3999\n`);
});

test("flush waits for the last line, but not for a blocked reader", async () => {
  const { output, answer, text } = destination();
  output.write("1\n");
  await output.flush(20);
  assert.equal(text(), "");
  setTimeout(() => answer(null), 1);
  await output.flush(60_000);
  assert.equal(text(), "1\n");
});
