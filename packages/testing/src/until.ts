/**
 * Calls a function every few milliseconds until it returns something other than false or undefined, and returns that. After
 * `timeoutMs` it fails with the function's source: sooner than the test runner's own limit, and it says what was missing.
 */
export async function until<Found>(
  look: () => Found | Promise<Found>,
  everyMs = 5,
  timeoutMs = 100_000,
): Promise<Exclude<Found, false | undefined>> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== false && found !== undefined) return found as Exclude<Found, false | undefined>;
    if (performance.now() > end) throw new Error(`Still ${found} after ${timeoutMs / 1000} s: ${look}`);
    await new Promise((next) => setTimeout(next, everyMs));
  }
}
