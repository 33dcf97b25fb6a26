// In Spark's package because the session catalog is private to it.
package org.apache.spark.sql.lakehelm

import org.apache.spark.sql.classic.SparkSession
import org.apache.spark.sql.delta.catalog.DeltaCatalog
import org.apache.spark.sql.util.CaseInsensitiveStringMap

/**
 * Delta's catalog under another name, so that `main.gold.t` works as on Databricks. It delegates to the session catalog:
 * Delta's own class, registered a second time, would have no catalog to delegate to.
 */
class NamedCatalog extends DeltaCatalog {
  private var ownName = ""

  override def initialize(name: String, options: CaseInsensitiveStringMap): Unit = {
    super.initialize(name, options)
    ownName = name
    setDelegateCatalog(SparkSession.active.sessionState.catalogManager.v2SessionCatalog)
  }

  override def name(): String = ownName
}
