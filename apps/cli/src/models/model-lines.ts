import { visibleText } from "@docket/core/rule"
import type { CataloguedProvider, CatalogueState } from "@docket/core/schema"
import { formatTokens } from "@docket/core/usage"
import { tableLines } from "../table.ts"

interface Answer {
  catalogues: CatalogueState[]
  providers: CataloguedProvider[]
}

type Model = CataloguedProvider["models"][number]

/**
 * Models as lines under a heading, then the catalogues that say so. `-` is not known.
 * @param none What is said when there is no model.
 */
export function modelLines({ catalogues, providers }: Answer, none: string): string[] {
  const rows = providers.flatMap(({ id, models }) => models.map((model) => modelRow(id, model)))
  const table =
    rows.length === 0
      ? [none]
      : tableLines([["model", "context", "output", "$ in/out", "$ cache", "reads", "reasons", "of", "from"], ...rows])
  return [...table, "", ...catalogues.map(stateLine)]
}

/** A catalogue in one line: how old it is, and where it comes from. */
export function stateLine({ source, date, from, refreshedAt, providers, problem }: CatalogueState): string {
  if (problem !== null) return visibleText(problem)
  const refreshed = refreshedAt === null ? "" : `, taken on ${new Date(refreshedAt).toISOString().slice(0, 10)}`
  const origin = from === null ? "" : ` (${from}${refreshed})`
  const count = providers === 1 ? "1 provider" : `${providers} providers`
  return visibleText(`${source}${origin}: ${count}, as of ${date ?? "a day that it does not say"}`)
}

function modelRow(providerID: string, { id, limit, cost, inputs, reasoning, updated, source }: Model): string[] {
  return [
    visibleText(`${providerID}/${id}`),
    tokens(limit.context),
    tokens(limit.output),
    cost === null ? "-" : `${cost.input}/${cost.output}`,
    cost === null ? "-" : `${cost.cacheRead ?? "-"}/${cost.cacheWrite ?? "-"}`,
    inputs?.join(" ") ?? "-",
    reasoning === null ? "-" : reasoning ? "yes" : "no",
    updated ?? "-",
    source,
  ]
}

const tokens = (count: number | null) => (count === null ? "-" : formatTokens(count))
