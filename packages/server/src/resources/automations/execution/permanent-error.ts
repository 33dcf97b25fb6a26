/** What stays wrong however often it is tried: a task that fails with it is not tried again. */
export class PermanentError extends Error {}
