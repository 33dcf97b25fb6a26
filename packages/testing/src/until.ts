/**
 * Calls a function every few milliseconds until it returns something other than false or undefined, and returns that
 * value. After `timeoutMs`, which is shorter than the limit of the test runner, it fails with the function's source.
 */
export async function until<Found>(
  condition: () => Found | Promise<Found>,
  everyMs = 5,
  timeoutMs = 100_000,
): Promise<Exclude<Found, false | undefined>> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = await condition();
    if (found !== false && found !== undefined) return found as Exclude<Found, false | undefined>;
    if (performance.now() > end) throw new Error(`Still ${found} after ${timeoutMs / 1000} s: ${condition}`);
    await new Promise((next) => setTimeout(next, everyMs));
  }
}
