import { FakeContent, FakeError, type Routes } from "./route.ts";

/** What a statement gives: rows, as the workspace writes values, or an error. */
type FakeResult =
  | {
      readonly columns: readonly (readonly [name: string, type: string])[];
      readonly rows: readonly (readonly (string | null)[])[];
    }
  | { readonly error: string };

export interface FakeSqlWarehouse {
  readonly routes: Routes;
  /** The statements that were run, in order. */
  readonly statements: string[];
  readonly cancelled: string[];
  /** The result of a statement; initially no rows. */
  run: (sql: string) => FakeResult;
  /** How often a statement is asked for before it is done; Infinity: never. */
  polls: number;
  /** The state until the statement is done. */
  waits: "PENDING" | "RUNNING";
  chunkRows: number;
}

export const testWarehouse = "wh1";

/** A SQL warehouse: statements with chunks and links. What a statement gives is up to the test. */
export function fakeSqlWarehouse(): FakeSqlWarehouse {
  const open = new Map<string, { result: FakeResult; left: number; body: Record<string, unknown> }>();

  function answer(id: string) {
    const statement = open.get(id);
    if (!statement) throw new FakeError(404, "NOT_FOUND", `The statement ${id} was not found.`);
    if (statement.left > 0) {
      statement.left -= 1;
      return { statement_id: id, status: { state: warehouse.waits } };
    }
    const { result } = statement;
    if ("error" in result) {
      const error = { error_code: "BAD_REQUEST", message: result.error };
      return { statement_id: id, status: { state: "FAILED", error } };
    }
    return {
      statement_id: id,
      status: { state: "SUCCEEDED" },
      manifest: {
        schema: {
          columns: result.columns.map(([name, type]) => ({
            name,
            type_text: type,
            type_name: type.replace(/[(<].*/, "").replace("BIGINT", "LONG"),
          })),
        },
        total_row_count: result.rows.length,
        truncated: false,
      },
      result: chunk(id, 0),
    };
  }

  function chunk(id: string, index: number): object {
    const { result, body } = open.get(id) ?? {};
    const rows = result && "rows" in result ? result.rows : [];
    const start = index * warehouse.chunkRows;
    const part = rows.slice(start, start + warehouse.chunkRows);
    const more = start + warehouse.chunkRows < rows.length ? { next_chunk_index: index + 1 } : {};
    if (body?.disposition !== "EXTERNAL_LINKS") return { chunk_index: index, data_array: part, ...more };
    const link = `http://${body.host}/external/${id}/${index}`;
    const http_headers = { "x-storage-key": "only-for-storage" };
    return { external_links: [{ chunk_index: index, external_link: link, http_headers, ...more }] };
  }

  const routes: Routes = {
    "GET /api/2.0/sql/warehouses/{id}": ({ params }) => {
      if (params.id !== testWarehouse) {
        throw new FakeError(404, "RESOURCE_DOES_NOT_EXIST", `SQL warehouse ${params.id} does not exist.`);
      }
      return { id: testWarehouse, name: "Shared", state: "STOPPED" };
    },
    "POST /api/2.0/sql/statements": ({ body, host }) => {
      if (body.warehouse_id !== testWarehouse) {
        throw new FakeError(
          400,
          "INVALID_PARAMETER_VALUE",
          `${body.warehouse_id} is not a valid endpoint id.`,
        );
      }
      warehouse.statements.push(body.statement);
      const id = `statement-${warehouse.statements.length}`;
      open.set(id, { result: warehouse.run(body.statement), left: warehouse.polls, body: { ...body, host } });
      return answer(id);
    },
    "GET /api/2.0/sql/statements/{id}": ({ params }) => answer(params.id ?? ""),
    "GET /api/2.0/sql/statements/{id}/result/chunks/{index}": ({ params }) =>
      chunk(params.id ?? "", Number(params.index)),
    "POST /api/2.0/sql/statements/{id}/cancel": ({ params }) => {
      warehouse.cancelled.push(params.id ?? "");
      return {};
    },
    "GET /external/{id}/{index}": ({ params, authorization, headers }) => {
      // Storage takes its own key and no other credential.
      if (authorization !== undefined || headers["x-storage-key"] !== "only-for-storage") {
        throw new FakeError(403, "", "", "<Error><Code>InvalidArgument</Code></Error>");
      }
      const { result } = open.get(params.id ?? "") ?? {};
      const rows = result && "rows" in result ? result.rows : [];
      const start = Number(params.index) * warehouse.chunkRows;
      return new FakeContent(
        "application/json",
        JSON.stringify(rows.slice(start, start + warehouse.chunkRows)),
      );
    },
  };
  const warehouse: FakeSqlWarehouse = {
    routes,
    statements: [],
    cancelled: [],
    run: () => ({ columns: [], rows: [] }),
    polls: 0,
    waits: "RUNNING",
    chunkRows: 1000,
  };
  return warehouse;
}
