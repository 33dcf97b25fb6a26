/** A folder can come from anyone, such as a pull request. What is read of it is bounded. */
export const limits = {
  /** Characters of a YAML or JSON file. The parser takes up to 10 µs for each. */
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
  /** Those of one file. */
  problemsOfFile: 50,
  /** Characters of a value after its references were replaced. */
  value: 4 * 1024 * 1024,
  /** Resources that lead from one to the next through references to tables. */
  chain: 500,
} as const;
