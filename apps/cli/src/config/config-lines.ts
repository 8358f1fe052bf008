import type { ConfigProblem, EffectiveConfig, EffectiveValue, OtherFile } from "@docket/core"
import { notCounting, problemLine } from "@docket/core/config"
import { visibleText } from "@docket/core/rule"
import { tableLines } from "../table.ts"
import { UsageError } from "../usage-error.ts"

/** The values at a key or below it, or all values when `key` is null. @throws UsageError when there is none */
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

/** A table of the values, then the files in order of precedence, then the problems. With a key, only the table. */
export function configLines(
  { values, files, missing, problems, others }: EffectiveConfig,
  key: string | null,
): string[] {
  const rows = values.map(({ path, value, from }) => [path.join("."), value, originLabel(from)].map(visibleText))
  const table = tableLines([["key", "value", "from"], ...rows])
  if (key !== null) return table
  const read = files.map(({ file, layer, counts }) => `  ${file} (${layer}${counts ? "" : notCountedLabels[layer]})`)
  return [
    ...table,
    ...(read.length > 0 ? ["", "read, the last wins:", ...read] : []),
    ...(missing.length > 0
      ? ["", "read when they are there:", ...missing.map((file) => `  ${visibleText(file)}`)]
      : []),
    ...(others.length > 0 ? ["", "of other programs:", ...others.map(otherLine)] : []),
    ...(problems.length > 0 ? ["", "problems:", ...problemLines(problems).map((line) => `  ${line}`)] : []),
  ]
}

/** Lists each problem, and counts the problems that only wait until the project is trusted. */
function problemLines(problems: readonly ConfigProblem[]): string[] {
  const lines = problems.filter(({ waits }) => !waits).map(problemLine)
  const waiting = problems.length - lines.length
  const words = `${notCounting(waiting, "this project")} until you trust that: docket trust shows each and asks`
  return waiting === 0 ? lines : [...lines, words]
}

/** File names come from the project, so control characters are escaped: they must not move the cursor. */
const otherLine = ({ file, state, words }: OtherFile) => `  ${visibleText(file)} (${stateLabels[state]}): ${words}`

const stateLabels = { used: "used", denials: "denials count", waits: "waits for trust", ignored: "ignored" }

const notCountedLabels = {
  user: ": another counts in its place",
  project: ": only makes rights stricter",
  environment: "",
  "command-line": "",
}

function originLabel(from: EffectiveValue["from"]): string {
  return from.layer === "default" ? "default" : `${from.file}:${from.line}`
}
