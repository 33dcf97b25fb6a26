// In Spark's package because the session catalog is private to it.
package org.apache.spark.sql.lakehelm

import java.util.{Map => JavaMap}

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.connector.catalog._
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.delta.catalog.DeltaCatalog
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/**
 * Names of three parts in one Hive metastore, which has two: `main.gold.orders` is the table `orders` in the database
 * `main__gold`. Register it once for each catalog: `spark.sql.catalog.main` = the name of this class.
 */
class PrefixedCatalog extends DeltaCatalog {
  private var ownName = ""
  private def prefix: String = s"${ownName}__"

  override def initialize(name: String, options: CaseInsensitiveStringMap): Unit = {
    super.initialize(name, options)
    ownName = name.toLowerCase
    setDelegateCatalog(SparkSession.active.sessionState.catalogManager.v2SessionCatalog)
  }

  override def name(): String = ownName

  // Delta's own methods call each other, so a name may have its prefix already.
  private def inMetastore(namespace: Array[String]): Array[String] = namespace match {
    case Array(schema) if !schema.toLowerCase.startsWith(prefix) => Array(prefix + schema.toLowerCase)
    case other => other
  }
  private def inMetastore(table: Identifier): Identifier =
    Identifier.of(inMetastore(table.namespace()), table.name())
  private def withoutPrefix(namespace: Array[String]): Array[String] = namespace.map(_.stripPrefix(prefix))

  override def listNamespaces(): Array[Array[String]] =
    super.listNamespaces().filter(_.head.startsWith(prefix)).map(withoutPrefix)
  override def listNamespaces(namespace: Array[String]): Array[Array[String]] =
    if (namespace.isEmpty) listNamespaces()
    else if (namespaceExists(namespace)) Array.empty
    else super.listNamespaces(inMetastore(namespace))
  override def namespaceExists(namespace: Array[String]): Boolean = super.namespaceExists(inMetastore(namespace))
  override def loadNamespaceMetadata(namespace: Array[String]): JavaMap[String, String] =
    super.loadNamespaceMetadata(inMetastore(namespace))
  override def createNamespace(namespace: Array[String], metadata: JavaMap[String, String]): Unit =
    super.createNamespace(inMetastore(namespace), metadata)
  override def alterNamespace(namespace: Array[String], changes: NamespaceChange*): Unit =
    super.alterNamespace(inMetastore(namespace), changes: _*)
  override def dropNamespace(namespace: Array[String], cascade: Boolean): Boolean =
    super.dropNamespace(inMetastore(namespace), cascade)

  override def listTables(namespace: Array[String]): Array[Identifier] =
    super.listTables(inMetastore(namespace)).map(table => Identifier.of(withoutPrefix(table.namespace()), table.name()))
  override def loadTable(table: Identifier): Table = super.loadTable(inMetastore(table))
  override def loadTable(table: Identifier, timestamp: Long): Table = super.loadTable(inMetastore(table), timestamp)
  override def loadTable(table: Identifier, version: String): Table = super.loadTable(inMetastore(table), version)
  override def tableExists(table: Identifier): Boolean = super.tableExists(inMetastore(table))
  override def invalidateTable(table: Identifier): Unit = super.invalidateTable(inMetastore(table))
  override def createTable(
      table: Identifier, columns: Array[Column], partitions: Array[Transform], properties: JavaMap[String, String]): Table =
    super.createTable(inMetastore(table), columns, partitions, properties)
  override def createTable(
      table: Identifier, schema: StructType, partitions: Array[Transform], properties: JavaMap[String, String]): Table =
    super.createTable(inMetastore(table), schema, partitions, properties)
  override def stageCreate(
      table: Identifier, schema: StructType, partitions: Array[Transform], properties: JavaMap[String, String]): StagedTable =
    super.stageCreate(inMetastore(table), schema, partitions, properties)
  override def stageReplace(
      table: Identifier, schema: StructType, partitions: Array[Transform], properties: JavaMap[String, String]): StagedTable =
    super.stageReplace(inMetastore(table), schema, partitions, properties)
  override def stageCreateOrReplace(
      table: Identifier, schema: StructType, partitions: Array[Transform], properties: JavaMap[String, String]): StagedTable =
    super.stageCreateOrReplace(inMetastore(table), schema, partitions, properties)
  override def alterTable(table: Identifier, changes: TableChange*): Table =
    super.alterTable(inMetastore(table), changes: _*)
  override def dropTable(table: Identifier): Boolean = super.dropTable(inMetastore(table))
  override def purgeTable(table: Identifier): Boolean = super.purgeTable(inMetastore(table))
  override def renameTable(from: Identifier, to: Identifier): Unit =
    super.renameTable(inMetastore(from), inMetastore(to))
}
