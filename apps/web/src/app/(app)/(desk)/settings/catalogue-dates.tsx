"use client"

import { useTRPC } from "@docket/client/react"
import { useQuery } from "@tanstack/react-query"
import { catalogueLine } from "./catalogue-line.ts"
import styles from "./settings.module.css"

/** How old what is said of models is: their limits, prices and what they read. */
export function CatalogueDates() {
  const catalogues = useQuery(useTRPC().provider.catalogues.queryOptions())
  if (!catalogues.data || catalogues.data.length === 0) return null
  return (
    <p className={styles.hint}>
      Limits and prices of models: {catalogues.data.map(catalogueLine).join("; ")}. Newer ones are taken with{" "}
      <code>docket models refresh</code>, from a file or an address.
    </p>
  )
}
