import { Cron } from "croner";

/** When a Unix cron expression fires, as croner reads it; throws where it cannot. */
export class UnixFirings {
  readonly #cron: Cron;
  /** What was asked before: croner takes about ten microseconds for an answer. */
  readonly #answers = new Map<number, number>();

  /**
   * Either day field may match, 0 and 7 are Sunday, and `5/10` begins at 5. A fixed offset keeps croner off the
   * machine's time zone, and being asked from a given instant off its clock.
   */
  constructor(cron: string) {
    this.#cron = new Cron(cron.split(/\p{White_Space}+/u).join(" "), {
      mode: "5-or-6-parts",
      domAndDow: false,
      alternativeWeekdays: false,
      sloppyRanges: true,
      utcOffset: 0,
    });
  }

  /**
   * The first firing after an instant, infinity where none follows. Where the firing after an earlier instant is
   * known and comes after this one too, it is the answer.
   */
  after(instant: number, earlier = instant): number {
    const known = this.#answers.get(earlier) ?? Number.NEGATIVE_INFINITY;
    if (known > instant) return known;
    const answer = this.#ask(instant);
    this.#answers.set(instant, answer);
    return answer;
  }

  /**
   * Asks twice where February ends in between. croner 11.0.0 takes 31 February for 2 or 3 March and oversteps the
   * days before: asked from 10 February for the 1st and the 31st, it says 31 March.
   */
  #ask(instant: number): number {
    const next = this.#nextRun(instant);
    const date = new Date(instant);
    const march = Date.UTC(date.getUTCFullYear(), 2);
    return date.getUTCMonth() === 1 && next >= march ? this.#nextRun(march - 1000) : next;
  }

  #nextRun(instant: number): number {
    return this.#cron.nextRun(new Date(instant))?.getTime() ?? Number.POSITIVE_INFINITY;
  }
}
