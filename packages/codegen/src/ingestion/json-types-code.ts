/**
 * Chooses the types of JSON values. A file or an API can return 1 today and 1.5 tomorrow, or a date as a string: these
 * values are read with the types of the target.
 */
export const jsonTypesCode = (nested: boolean): string =>
  `
# The types that each JSON type can be read as without loss. Every value can be read as text.
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
