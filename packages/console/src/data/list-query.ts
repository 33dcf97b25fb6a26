/** The filter of a list, which the server applies. */
export interface ListFilter<Status extends string> {
  readonly environment?: string | undefined;
  readonly status?: Status | undefined;
  readonly search?: string | undefined;
}

/** The query for the first thousand matches. Empty filters are left out. */
export const listQuery = <Status extends string>({ environment, status, search }: ListFilter<Status>) => ({
  limit: 1000,
  ...(environment && { environment }),
  ...(status && { status }),
  ...(search && { search }),
});
