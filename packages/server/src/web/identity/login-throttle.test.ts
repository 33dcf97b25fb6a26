import assert from "node:assert/strict";
import { test } from "node:test";
import { Problem, unauthorized, unavailable } from "../../core/errors.ts";
import { createRateLimit } from "../http/call.ts";
import { createLoginThrottle } from "./login-throttle.ts";
import { testSystem } from "./test-dependencies.ts";

const wrong = async (): Promise<string> => {
  throw unauthorized("wrong");
};
const right = async () => "token";

function given(clients?: number) {
  const system = testSystem();
  const pauses: number[] = [];
  const slowDown = createLoginThrottle({
    monotonicMs: system.monotonicMs,
    pause: async (ms) => void pauses.push(ms),
    ...(clients !== undefined && { clients }),
  });
  const fail = async (times: number, client = "1.2.3.4", name = "ada") => {
    for (let n = 0; n < times; n++)
      await assert.rejects(slowDown.attempt(client, name, wrong), { kind: "unauthorized" });
  };
  return { system, pauses, slowDown, fail };
}

test("five failures are free; from then on the delay doubles up to five seconds", async () => {
  const { fail, pauses } = given();
  await fail(5);
  assert.deepEqual(pauses, []);
  await fail(8);
  assert.deepEqual(pauses, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
});

test("a success resets the delay", async () => {
  const { fail, pauses, slowDown } = given();
  await fail(6);
  assert.equal(await slowDown.attempt("1.2.3.4", "ada", right), "token");
  await fail(5);
  assert.deepEqual(pauses, [100, 200]);
});

test("fifteen minutes without a failure reset the delay", async () => {
  const { fail, pauses, system } = given();
  await fail(6);
  system.advance(15 * 60_000);
  await fail(5);
  assert.deepEqual(pauses, [100]);
});

test("other addresses and other names are not slowed", async () => {
  const { fail, pauses } = given();
  await fail(5);
  await fail(5, "5.6.7.8");
  await fail(5, "1.2.3.4", "bob");
  assert.deepEqual(pauses, []);
});

test("many names from one address are slowed down after twenty failures, and other addresses are not", async () => {
  const { pauses, fail } = given();
  for (let n = 0; n < 20; n++) await fail(1, "6.6.6.6", `random ${n}`);
  assert.deepEqual(pauses, []);
  for (let n = 20; n < 23; n++) await fail(1, "6.6.6.6", `random ${n}`);
  assert.deepEqual(pauses, [100, 200, 400]);
  await fail(1, "1.2.3.4", "ada");
  assert.deepEqual(pauses, [100, 200, 400]);
});

test("one name from many addresses is slowed down after twenty failures, and other names are not", async () => {
  const { pauses, fail } = given();
  for (let n = 0; n < 20; n++) await fail(1, `6.6.6.${n}`, "ada");
  assert.deepEqual(pauses, []);
  for (let n = 20; n < 23; n++) await fail(1, `6.6.6.${n}`, "ada");
  assert.deepEqual(pauses, [100, 200, 400]);
  await fail(1, "7.7.7.7", "bob");
  assert.deepEqual(pauses, [100, 200, 400]);
});

test("someone who has logged in from there before is slowed by neither", async () => {
  const { pauses, fail, slowDown } = given();
  await slowDown.attempt("1.2.3.4", "ada", right);
  for (let n = 0; n < 30; n++) await fail(1, "1.2.3.4", `random ${n}`);
  for (let n = 0; n < 30; n++) await fail(1, `6.6.6.${n}`, "ada");
  pauses.length = 0;
  assert.equal(await slowDown.attempt("1.2.3.4", "ada", right), "token");
  assert.deepEqual(pauses, []);
  await fail(6);
  assert.deepEqual(pauses, [100], "their own failures count");
});

test("a success does not clear the failures of other names from that address", async () => {
  const { pauses, fail, slowDown } = given();
  for (let n = 0; n < 20; n++) await fail(1, "6.6.6.6", `random ${n}`);
  await slowDown.attempt("6.6.6.6", "own account", right);
  pauses.length = 0;
  await fail(1, "6.6.6.6", "random 20");
  assert.deepEqual(pauses, [100]);
});

test("an address with a typing error every half minute is never slowed", async () => {
  const { pauses, fail, system } = given();
  for (let n = 0; n < 100; n++) {
    await fail(1, "1.2.3.4", `user ${n}`);
    system.advance(30_000);
  }
  assert.deepEqual(pauses, []);
});

test("attempts of random names that wait do not hold up a user who is known, nor another address", async () => {
  const { slowDown } = given();
  await slowDown.attempt("1.2.3.4", "ada", right);
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const order: string[] = [];
  const hanging = (name: string) => async () => {
    await opened;
    order.push(name);
    return wrong();
  };
  const attack = Array.from({ length: 15 }, (_, n) =>
    slowDown.attempt("1.2.3.4", `random ${n}`, hanging("random")),
  );
  const others = [
    slowDown.attempt("5.6.7.8", "bob", hanging("bob")),
    slowDown.attempt("1.2.3.4", "ada", hanging("ada")),
  ];
  open();
  await Promise.allSettled([...attack, ...others]);
  assert.ok(order.indexOf("ada") <= 5, order.join(" "));
  assert.ok(order.indexOf("bob") <= 7, order.join(" "));
});

test("a known user who logs in very often takes turns with other known users", async () => {
  const { slowDown } = given();
  await slowDown.attempt("6.6.6.6", "mallory", right);
  await slowDown.attempt("1.2.3.4", "ada", right);
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const order: string[] = [];
  const hanging = (name: string) => async () => {
    await opened;
    order.push(name);
    return "token";
  };
  const often = Array.from({ length: 200 }, () => slowDown.attempt("6.6.6.6", "mallory", hanging("mallory")));
  const ada = slowDown.attempt("1.2.3.4", "ada", hanging("ada"));
  open();
  await Promise.all([...often, ada]);
  assert.ok(order.indexOf("ada") <= 6, `ada came after ${order.indexOf("ada")}`);
});

test("an address that has used up its requests refuses only those who have not logged in from there", async () => {
  const system = testSystem();
  const perAddress = createRateLimit(3, () => system.now().getTime());
  const slowDown = createLoginThrottle({
    monotonicMs: system.monotonicMs,
    pause: async () => {},
    perAddress,
  });
  await slowDown.attempt("1.2.3.4", "ada", right);
  for (const name of ["x", "y"])
    await assert.rejects(slowDown.attempt("1.2.3.4", name, wrong), { kind: "unauthorized" });
  await assert.rejects(slowDown.attempt("1.2.3.4", "z", wrong), { kind: "tooMany" });
  await assert.rejects(slowDown.attempt("1.2.3.4", "bob", right), { kind: "tooMany" });
  // ada has logged in from the address before, so she has a limit of her own.
  for (let n = 0; n < 3; n++) assert.equal(await slowDown.attempt("1.2.3.4", "ada", right), "token");
  await assert.rejects(slowDown.attempt("1.2.3.4", "ada", right), { kind: "tooMany" });
  assert.equal(await slowDown.attempt("5.6.7.8", "bob", right), "token");
});

test("only wrong credentials count", async () => {
  const { fail, pauses, slowDown } = given();
  await fail(4);
  const down = async () => {
    throw unavailable("down");
  };
  for (let n = 0; n < 5; n++)
    await assert.rejects(slowDown.attempt("1.2.3.4", "ada", down), { kind: "unavailable" });
  assert.deepEqual(pauses, []);
});

test("concurrent attempts get no more free failures than sequential ones", async () => {
  const { pauses, slowDown } = given();
  let guesses = 0;
  const guess = async () => {
    guesses += 1;
    return wrong();
  };
  const burst = Array.from({ length: 1000 }, () => slowDown.attempt("1.2.3.4", "ada", guess));
  const reasons = (await Promise.allSettled(burst)).map((r) =>
    r.status === "rejected" ? r.reason : "got in",
  );
  const refused = reasons.filter(
    (reason): reason is Problem => reason instanceof Problem && reason.kind === "tooMany",
  );
  assert.equal(refused.length, 1000 - guesses);
  assert.equal(pauses.length, guesses - 5);
  assert.ok(guesses <= 20, `${guesses} guesses`);
  assert.ok(refused.every(({ retryAfterSeconds }) => retryAfterSeconds === 1));
});

test("a slowed client's attempts run one after another, and only a few may wait", async () => {
  const { fail, slowDown } = given();
  await fail(5);
  let running = 0;
  let most = 0;
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const attempt = () =>
    slowDown.attempt("1.2.3.4", "ada", async () => {
      most = Math.max(most, ++running);
      await opened;
      running -= 1;
      return wrong();
    });
  const waiting = Array.from({ length: 11 }, attempt);
  await assert.rejects(attempt(), { kind: "tooMany", retryAfterSeconds: 1 });
  open();
  await Promise.allSettled(waiting);
  assert.equal(most, 1);
});

test("many concurrent correct credentials are all accepted", async () => {
  const { slowDown } = given();
  const all = await Promise.all(Array.from({ length: 500 }, () => slowDown.attempt("1.2.3.4", "ci", right)));
  assert.equal(all.length, 500);
});

test("memory is bounded: the client whose last failure is oldest is forgotten", async () => {
  const { fail, pauses } = given(2);
  await fail(5, "a");
  await fail(5, "b");
  await fail(1, "a");
  await fail(5, "c");
  await fail(1, "a");
  assert.deepEqual(pauses, [100, 200]);
  await fail(1, "b");
  assert.deepEqual(pauses, [100, 200]);
});

test("a caller that disconnects stops waiting, and the next one continues", async () => {
  const system = testSystem();
  const slowDown = createLoginThrottle({
    monotonicMs: system.monotonicMs,
    pause: async (_, signal) => signal?.throwIfAborted(),
  });
  for (let n = 0; n < 5; n++)
    await assert.rejects(slowDown.attempt("a", "ada", wrong), { kind: "unauthorized" });
  await assert.rejects(slowDown.attempt("a", "ada", right, AbortSignal.abort()), { name: "AbortError" });
  assert.equal(await slowDown.attempt("a", "ada", right), "token");
});
