import type { VNode } from "preact";
import type { PageProps } from "../../app/page-props.ts";
import { environmentName } from "../../app/router.ts";
import { session } from "../../app/session.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { PageLayout } from "../../ui/page.tsx";
import { TablePage } from "./table-page.tsx";
import { CatalogTree } from "./tree.tsx";

/** A tree of all tables, and the chosen table beside it. */
export default function CatalogPage({ params }: PageProps): VNode {
  const environment = environmentName.value ?? session.value?.default_environment ?? "";
  const { catalog = "", schema = "", table: name = "" } = params;
  const chosen = name === "" ? undefined : { catalog, schema, name };
  return (
    <PageLayout title={chosen ? chosen.name : "Catalog"} above={aboveOf(chosen)} isFull>
      <div class="catalog">
        <CatalogTree environment={environment} chosen={chosen} />
        <div class="catalog-table">
          {chosen ? (
            <TablePage environment={environment} chosen={chosen} />
          ) : (
            <EmptyState title={`Tables of the environment ${environment}`}>
              Choose a table, or search by name, schema or description. Choose another environment at the top
              right.
            </EmptyState>
          )}
        </div>
      </div>
    </PageLayout>
  );
}

const aboveOf = (chosen: { readonly catalog: string; readonly schema: string } | undefined) =>
  chosen
    ? [
        { title: "Catalog", path: "/catalog" },
        { title: `${chosen.catalog}.${chosen.schema}`, path: "/catalog" },
      ]
    : [];
