/** What a list is limited to. The server filters. */
export interface ListFilter<Status extends string> {
  readonly environment?: string | undefined;
  readonly status?: Status | undefined;
  readonly search?: string | undefined;
}

/** The first thousand that fit. What is not set is left out. */
export const listQuery = <Status extends string>({ environment, status, search }: ListFilter<Status>) => ({
  limit: 1000,
  ...(environment && { environment }),
  ...(status && { status }),
  ...(search && { search }),
});
