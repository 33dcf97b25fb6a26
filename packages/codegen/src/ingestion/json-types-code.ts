/**
 * Types of JSON values, which say little of themselves: the target knows better. Files and APIs that give 1 today and
 * 1.5 tomorrow, or a date as text, are read as the target has them.
 */
export const jsonTypesCode = (nested: boolean): string =>
  `
# What each type found in JSON can be read as without a loss. Text can hold every value.
READABLE_AS = {
    "boolean": ("boolean",),
    "bigint": ("bigint", "int", "smallint", "tinyint", "decimal", "double", "float"),
    "double": ("double", "float", "decimal"),
    "string": ("timestamp", "date"),
}


def agreed_type(name, found, known):
    """The type to read a column as: the target's, if the values fit it."""
${nested ? nestedTypes : ""}    wanted = known.simpleString().split("(")[0]
    if wanted != "string" and wanted not in READABLE_AS.get(found.simpleString(), ()):
        raise TypeError(f"the column {name} is {wanted} in the target, and {found.simpleString()} in the source")
    return known


def known_types(table):
    if not spark.catalog.tableExists(table["target"]):
        return {}
    return {field.name.lower(): field.dataType for field in spark.table(table["target"]).schema}
`.trim();

const nestedTypes = `    if isinstance(found, ArrayType) and isinstance(known, ArrayType):
        return ArrayType(agreed_type(name, found.elementType, known.elementType))
    if isinstance(found, StructType) and isinstance(known, StructType):
        types = {field.name.lower(): field.dataType for field in found}
        kept = [
            StructField(field.name, agreed_type(f"{name}.{field.name}", types.pop(field.name.lower(), field.dataType), field.dataType))
            for field in known
        ]
        return StructType(kept + [field for field in found if field.name.lower() in types])
    if found == known:
        return known
`;
