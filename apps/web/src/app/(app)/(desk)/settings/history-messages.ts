import type { HistoryChange, PreviewedHistory } from "@docket/core"
import type { PermissionAction, PermissionConfig } from "@docket/core/schema"

/** Periods of history; `days: null` for everything that is stored. */
export const periods = [
  { label: "the last day", days: 1 },
  { label: "the last 30 days", days: 30 },
  { label: "all that is stored", days: null },
] as const satisfies { label: string; days: number | null }[]

/** Parses the rules that the user typed: the value of `permission`, or an object that contains it. */
export function readRules(text: string): { rules: PermissionConfig | null; problem: string | null } {
  try {
    const value: unknown = JSON.parse(text)
    const whole =
      typeof value === "object" && value !== null && "permission" in value && Object.keys(value).length === 1
    const rules: unknown = whole ? value.permission : value
    if (isRules(rules)) return { rules, problem: null }
    return { rules: null, problem: 'Each rule is "allow", "ask" or "deny": { "bash": { "git *": "allow" } }' }
  } catch {
    return { rules: null, problem: "This is not JSON. Quotes around names, commas between them, no comment." }
  }
}

const isAction = (value: unknown): value is PermissionAction => value === "allow" || value === "ask" || value === "deny"

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Checked by hand, so that the page need not load the schemas. The server validates the rules itself. */
function isRules(value: unknown): value is PermissionConfig {
  if (isAction(value)) return true
  return (
    isMap(value) && Object.values(value).every((it) => isAction(it) || (isMap(it) && Object.values(it).every(isAction)))
  )
}

const times = (count: number) => (count === 1 ? "once" : `${count} times`)

/** The total result in one sentence. */
export function totalMessage({ asked, wouldAsk, wouldRefuse }: PreviewedHistory): string {
  const refused = wouldRefuse === 0 ? "" : ` It would have refused ${times(wouldRefuse)}.`
  if (wouldAsk === asked) return `You would have been asked as often as you were: ${times(asked)}.${refused}`
  return `You would have been asked ${times(wouldAsk)}, not ${times(asked)}.${refused}`
}

/** What happened at that time, and how often. */
export function changeMessage({ wasAsked, times: count }: Pick<HistoryChange, "wasAsked" | "times">): string {
  return `${wasAsked ? "You were asked" : "Nobody was asked"} then, ${times(count)}`
}
