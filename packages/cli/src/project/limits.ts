/** A project can come from anyone, for example in a pull request, so the amount that is read is limited. */
export const limits = {
  /** Characters of a YAML or JSON file. The parser takes up to 10 µs per character. */
  document: 200_000,
  /** Bytes of an SQL file, or of another file with code. */
  code: 4 * 1024 * 1024,
  /** Bytes of all files together. */
  total: 64 * 1024 * 1024,
  /** Resources and policies. */
  documents: 20_000,
  /** Files of agents, apps and pipelines. */
  codeFiles: 5000,
  /** Folders below the code of an agent or an app. */
  codeDepth: 20,
  /** Problems that are shown. */
  problems: 1000,
  /** Problems that are shown for one file. */
  problemsOfFile: 50,
  /** Characters of a value after its references were replaced. */
  value: 4 * 1024 * 1024,
  /** The longest chain of resources in which each one refers to a table of the next. */
  chain: 500,
} as const;
