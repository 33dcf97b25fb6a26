import type { FunctionComponent } from "preact";

/** The properties of every page: the parameters of its path. */
export interface PageProps {
  readonly params: Readonly<Record<string, string>>;
}

export type PageComponent = FunctionComponent<PageProps>;
