import { type FlowShape, flowRefreshCommand } from "@lakehelm/contract/changes";
import {
  addColumn,
  ageColumn,
  type ConsumptionFlow,
  dropColumns,
  setShape,
  shapeProperty,
  views,
} from "@lakehelm/flows";
import { plainName, sqlName } from "@lakehelm/sql/names";
import { pythonString, pythonValue } from "../../text/python.ts";

const describeTarget = ({ target }: ConsumptionFlow) => `DESCRIBE DETAIL ${sqlName(target)}`;

/** A missing key column is not added, because then the keyed table is rebuilt. */
const columnsToAdd = (flow: ConsumptionFlow) =>
  flow.columns.filter(({ isKey }) => !isKey || flow.publishing === "replace");

/** All statements of this cell, for the checks of the evidence. */
export const changeStatements = (flow: ConsumptionFlow, shape: FlowShape): string[] => [
  describeTarget(flow),
  ...columnsToAdd(flow).map((column) => addColumn(flow, column)),
  ...dropColumns(flow, []).slice(0, -1),
  setShape(flow, shape),
];

/** The Python version of `decideFlowRun`: what this version of the flow does with a table of an earlier version. */
export function changeCode(flow: ConsumptionFlow, shape: FlowShape): string {
  const name = pythonString(plainName(flow.target));
  const [mapping = "", clustering = ""] = dropColumns(flow, []);
  const additions = columnsToAdd(flow).map(
    (column) => `    ${pythonString(column.name.toLowerCase())}: ${pythonString(addColumn(flow, column))},`,
  );
  return `
# What this version of the flow makes of the table. The one that wrote it last is a property of the table.
SHAPE = ${pythonValue(shape)}
NEW_COLUMNS = {${additions.length > 0 ? `\n${additions.join("\n")}\n` : ""}}
EQUALS_SELECT = ["replace", "merge_and_delete"]
properties = spark.sql(${pythonString(describeTarget(flow))}).first()["properties"]
last = json.loads(properties.get("${shapeProperty}", "null"))
there = {field.name.lower(): field.dataType.simpleString() for field in spark.table(TARGET).schema}
made = {field.name: field.dataType.simpleString() for field in spark.table("${views.rows}").schema}
${flow.recheck ? `del made["${ageColumn}"]  # the order of the rows, not a column of the table\n` : ""}

def names_of(shape):
    return [name.lower() for name in [*shape["columns"], *shape["added"]]]


def keys_of(shape):
    return sorted(name.lower() for name in shape["keys"])


def why_not():
    """Why the table cannot stay as it is."""
    wrong = [
        f"{name} is {there[name.lower()]} instead of {kind}"
        for name, kind in made.items()
        if there.get(name.lower(), kind) != kind
    ]
    is_history = SHAPE["strategy"] == "history"
    is_keyed = SHAPE["strategy"] != "replace"
    if last and (last["strategy"] == "history") != is_history:
        latest, versions = "the latest row of each key", "a history"
        has, wanted = (latest, versions) if is_history else (versions, latest)
        return wrong + [f"it has {has}, and is to have {wanted}"]
    if last and is_keyed and keys_of(last) != keys_of(SHAPE):
        wrong.append(f"its key is {', '.join(last['keys']) or 'none'} instead of {', '.join(SHAPE['keys'])}")
    elif last and is_keyed and last["strategy"] == "replace":
        wrong.append("its rows were replaced as a whole, so a key may be there more than once")
    if last and is_history and last["sequence"] != SHAPE["sequence"]:
        before, after = (one["sequence"] or "the time of the run" for one in (last, SHAPE))
        wrong.append(f"its versions are ordered by {before} instead of {after}")
    needed = [*(SHAPE["keys"] if is_keyed else []), *SHAPE["added"]]
    return wrong + [f"{name} is missing" for name in needed if name.lower() not in there]


wrong = [] if is_new else why_not()
rebuild = False
if not is_new and (full_refresh or wrong):
    # A table that keeps more than the SELECT returns is built again only if that is asked for.
    is_empty = spark.table(TARGET).limit(1).count() == 0
    had_history = last["strategy"] == "history" if last else {"valid_from", "valid_to", "is_current"} <= set(there)
    loses_rows = not is_empty and not (last and last["strategy"] in EQUALS_SELECT)
    if had_history and not is_empty:
        rebuild = full_refresh and discard_history
    else:
        rebuild = full_refresh or (last is not None and (not loses_rows or SHAPE["strategy"] in EQUALS_SELECT))
${flow.businessDate ? "    rebuild = rebuild and not business_date\n" : ""}    if not rebuild:
        raise ValueError(
            ${name}
            + " does not fit the flow: " + ("; ".join(wrong) or "it has a history") + ". Nothing was written. "
            + "To build it again from its SELECT, without the rows and versions that the SELECT does not return, "
            + "run the job once with the parameters full_refresh = true and, for a history, discard_history = true: "
            + (${pythonString(flowRefreshCommand(flow.name, true))} if had_history else ${pythonString(flowRefreshCommand(flow.name))})
        )
elif not is_new:
    gone = [] if last is None else [name for name in names_of(last) if name in there and name not in names_of(SHAPE)]
    if gone:
        # Delta drops a column only from a table that maps its columns by name, and that is not clustered by it.
        spark.sql(${pythonString(mapping)})
        spark.sql(${pythonString(clustering)})
        columns = ", ".join("\`" + name.replace("\`", "\`\`") + "\`" for name in gone)
        spark.sql(f"ALTER TABLE {TARGET} DROP COLUMNS ({columns})")
        print(f"dropped {', '.join(gone)}: the flow no longer has it")
    for name, statement in NEW_COLUMNS.items():
        if name not in there:
            spark.sql(statement)
`.trim();
}

/** The shape is recorded after the rows, so that a run that repeats a killed one compares the same two versions. */
export const recordShape = (flow: ConsumptionFlow, shape: FlowShape): string =>
  ["if last != SHAPE:", `    spark.sql(${pythonString(setShape(flow, shape))})`].join("\n");
