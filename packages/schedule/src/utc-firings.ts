import { Cron } from "croner";
import { cronFields } from "./cron/cron-expression.ts";

/** More than one comparison with Quartz needs. The limit bounds the memory of a long-lived schedule. */
const maxAnswers = 1000;

/** The firings of a cron expression with the wall clock in UTC, as croner evaluates them. */
export class UtcFirings {
  readonly #cron: Cron;
  /** Earlier answers, because croner takes about 10 µs for one. */
  readonly #answers = new Map<number, number>();

  /**
   * croner matches either day field, reads 0 and 7 as Sunday, and starts `5/10` at 5. The fixed offset keeps croner
   * from using the machine's time zone. Throws if croner cannot read the expression.
   */
  constructor(cron: string) {
    this.#cron = new Cron(cronFields(cron).join(" "), {
      mode: "5-or-6-parts",
      domAndDow: false,
      alternativeWeekdays: false,
      sloppyRanges: true,
      utcOffset: 0,
    });
  }

  /**
   * The first firing after an instant; infinity if there is none. If the firing after `earlier` is known and lies after
   * this instant, it is also the answer here.
   */
  after(instant: number, earlier = instant): number {
    const known = this.#answers.get(earlier) ?? Number.NEGATIVE_INFINITY;
    if (known > instant) return known;
    const answer = this.#evaluate(instant);
    if (this.#answers.size >= maxAnswers) this.#answers.clear();
    this.#answers.set(instant, answer);
    return answer;
  }

  /**
   * If the end of February lies before the firing found, evaluates again from there. croner 11.0.0 reads 31 February as
   * 2 or 3 March and skips the days before: from 10 February, for the 1st and the 31st, it returns 31 March.
   */
  #evaluate(instant: number): number {
    const next = this.#nextRun(instant);
    const date = new Date(instant);
    const march = Date.UTC(date.getUTCFullYear(), 2);
    return date.getUTCMonth() === 1 && next >= march ? this.#nextRun(march - 1000) : next;
  }

  #nextRun(instant: number): number {
    return this.#cron.nextRun(new Date(instant))?.getTime() ?? Number.POSITIVE_INFINITY;
  }
}
