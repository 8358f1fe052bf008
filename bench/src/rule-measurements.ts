import { evaluateRequest, type Grant } from "@docket/core/rule"
import type { PermissionRule } from "@docket/core/schema"
import type { Measurement } from "./measurement.ts"
import { median } from "./median.ts"

const count = 1_000
const rounds = 5

/** The cost of checking a request against many rules. */
export const ruleMeasurements: Measurement[] = [
  {
    name: "rules",
    label: "1,000 rules × 1,000 patterns, with 1,000 grants",
    unit: "ms",
    aim: 50,
    opencode: "–",
    inProcess: true,
    measure: judgeMany,
  },
]

/** Every pattern is matched against each rule, and every tenth also against the grants. */
async function judgeMany(): Promise<number> {
  const rules = Array.from({ length: count }, (_, index): PermissionRule => {
    const action = index % 10 === 0 ? "ask" : "allow"
    return { permission: "bash", pattern: `tool-${index} *`, action }
  })
  const patterns = rules.map((_, index) => `tool-${index} run --all src/file-${index}.ts`)
  const grants = rules.map(({ permission, pattern }): Grant => ({ permission, pattern, from: "project" }))
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    const { action } = evaluateRequest({ permission: "bash", patterns, rules, grants })
    times.push(performance.now() - start)
    if (action !== "allow") throw new Error(`the rules were misjudged: ${action}`)
  }
  return median(times)
}
