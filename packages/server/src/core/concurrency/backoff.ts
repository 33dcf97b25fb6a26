/**
 * The pause after this many failures: doubled each time, up to `most`, minus a random part of up to a half, so that
 * concurrent failures are not retried together. `first` and `most` are seconds; the result is milliseconds.
 */
export function backoffMs(failures: number, first: number, most: number, random: () => number): number {
  const whole = Math.min(first * 2 ** Math.min(failures - 1, 30), most) * 1000;
  return Math.round(whole * (1 - random() / 2));
}
