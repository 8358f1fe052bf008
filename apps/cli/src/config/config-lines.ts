import type { EffectiveConfig, EffectiveValue } from "@docket/core"
import { problemLine } from "@docket/core/config"
import { visibleText } from "@docket/core/rule"
import { tableLines } from "../table.ts"
import { UsageError } from "../usage-error.ts"

/** What lies at a key or below it; everything without one. @throws UsageError when nothing does */
export function valuesAt(config: EffectiveConfig, key: string | null): EffectiveConfig {
  if (key === null) return config
  const isAt = ({ path }: EffectiveValue) => {
    const name = path.join(".")
    return name === key || name.startsWith(`${key}.`)
  }
  const values = config.values.filter(isAt)
  if (values.length > 0) return { ...config, values }
  const sections = [...new Set(config.values.map(({ path }) => path[0]))]
  throw new UsageError(`nothing sets "${key}"; there is something in: ${sections.join(", ")}`)
}

/** The values as a table, then the files in their order and what is wrong. Of one key only the values. */
export function configLines({ values, files, problems }: EffectiveConfig, key: string | null): string[] {
  const rows = values.map(({ path, value, from }) => [path.join("."), value, originWords(from)].map(visibleText))
  const table = tableLines([["key", "value", "from"], ...rows])
  if (key !== null) return table
  const read = files.map(({ file, layer, counts }) => `  ${file} (${layer}${counts ? "" : restWords[layer]})`)
  return [
    ...table,
    ...(read.length > 0 ? ["", "read, the last wins:", ...read] : []),
    ...(problems.length > 0 ? ["", "problems:", ...problems.map((problem) => `  ${problemLine(problem)}`)] : []),
  ]
}

const restWords = {
  user: ": another counts in its place",
  project: ": only makes rights stricter",
  environment: "",
  "command-line": "",
}

function originWords(from: EffectiveValue["from"]): string {
  return from.layer === "default" ? "default" : `${from.file}:${from.line}`
}
