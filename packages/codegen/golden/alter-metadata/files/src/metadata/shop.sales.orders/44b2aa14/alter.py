# Databricks notebook source
# Descriptions and tags of shop.sales.orders, by the statements of alter.sql.
# Running it again changes nothing. For the environment "prod".

# COMMAND ----------

# DBTITLE 1,Session
import os

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

spark = SparkSession.builder.getOrCreate()

# COMMAND ----------

# DBTITLE 1,Tags
def change_tags(statement):
    """Tags exist only in Unity Catalog. Open-source Spark cannot parse the statement, so it is skipped there."""
    if "DATABRICKS_RUNTIME_VERSION" in os.environ:
        spark.sql(statement)
    else:
        print(f"Skipped, because there are no tags here: {statement}")


def remove_tag(statement, tag):
    """Databricks may fail to remove a tag that does not exist. Here that is not an error."""
    try:
        change_tags(statement)
    except Exception as error:
        tags = spark.table("shop.information_schema.table_tags")
        tags = tags.where(F.col("schema_name") == "sales")
        tags = tags.where(F.col("table_name") == "orders")
        tags = tags.where(F.col("tag_name") == tag)
        # Without access to the table no tags are visible either: then the error is real.
        if not spark.catalog.tableExists("shop.sales.orders") or not tags.isEmpty():
            raise
        print(f"Nothing to remove: {statement} ({error})")

# COMMAND ----------

# DBTITLE 1,Table
spark.sql("COMMENT ON TABLE shop.sales.orders IS 'One row for each order, as the shop\\'s cashier saw it'")
remove_tag("ALTER TABLE shop.sales.orders UNSET TAGS ('draft')", tag="draft")
change_tags("ALTER TABLE shop.sales.orders SET TAGS ('domain' = 'sales')")

# COMMAND ----------

# DBTITLE 1,Columns
spark.sql("ALTER TABLE shop.sales.orders ALTER COLUMN customer_email COMMENT 'Where the receipt went'")
change_tags("ALTER TABLE shop.sales.orders ALTER COLUMN customer_email SET TAGS ('pii' = 'true')")
spark.sql("ALTER TABLE shop.sales.orders ALTER COLUMN legacy_code COMMENT ''")
