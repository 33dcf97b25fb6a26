import { field } from "@lakehelm/contract/connections";

export const limitFields = {
  /** Rows in one write. */
  batch_size: field.integer(1, 100_000).optional(),
  /** The share of a run's rows that the target may reject before the run fails. */
  max_reject_share: field.share().nullable().default(null),
};
