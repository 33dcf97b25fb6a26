/** Python's builtins, except those that execute text or wait for input, which no notebook needs. */
export const builtins: ReadonlySet<string> = new Set(
  `__name__ ArithmeticError AssertionError AttributeError BaseException ConnectionError EOFError Exception
  FileExistsError FileNotFoundError ImportError IndexError InterruptedError KeyError KeyboardInterrupt LookupError
  ModuleNotFoundError NameError NotImplemented NotImplementedError OSError OverflowError PermissionError RuntimeError
  StopIteration SystemExit TimeoutError TypeError UnicodeDecodeError UnicodeEncodeError UnicodeError ValueError
  ZeroDivisionError abs all any ascii bin bool bytearray bytes callable chr classmethod complex delattr dict dir divmod
  enumerate filter float format frozenset getattr globals hasattr hash hex id int isinstance issubclass iter len list
  locals map max min next object oct open ord pow print property range repr reversed round set setattr slice sorted
  staticmethod str sum super tuple type vars zip`.split(/\s+/),
);

/**
 * Globals of a Databricks notebook. `spark` is not included: outside of Databricks a notebook must create its session.
 */
export const notebookGlobals: ReadonlySet<string> = new Set(["dbutils"]);

export const keywords: ReadonlySet<string> = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);

/** Members that work in classic Spark or a script, but not on serverless compute or in a notebook. */
export const unavailable: Readonly<Record<string, string>> = {
  sparkContext: "serverless compute has no Spark context",
  _sc: "serverless compute has no Spark context",
  _jvm: "serverless compute has no Java gateway",
  _jsparkSession: "serverless compute has no Java gateway",
  _jdf: "serverless compute has no Java gateway",
  rdd: "serverless compute has no RDDs",
  parse_args: "a notebook runs with arguments of its own; parse_known_args ignores them",
};
