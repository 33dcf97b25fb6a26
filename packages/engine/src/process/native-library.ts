import { createRequire } from "node:module";

/** DuckDB's library is an optional package for each kind of system: an installation without optional packages has none. */
export function requireNativeLibrary(): void {
  const { platform, arch } = process;
  const bindings = createRequire(createRequire(import.meta.url).resolve("@duckdb/node-bindings"));
  for (const variant of ["", "-musl"]) {
    try {
      bindings.resolve(`@duckdb/node-bindings-${platform}-${arch}${variant}/duckdb.node`);
      return;
    } catch {
      // The other one.
    }
  }
  throw new Error(
    `DuckDB's library for ${platform}-${arch} is missing: optional packages were left out, or there is none for this system. Install Lakehelm again with them: npm install --include=optional`,
  );
}
