/** A permanent error: the task is not retried. */
export class PermanentError extends Error {}
