import { evaluateRequest, type PermissionVerdict } from "../../ground/rule/evaluate-request.ts"
import { liftsForCommand, presetRules } from "../../ground/rule/presets.ts"
import type { PermissionRequest, PermissionRuleset } from "../../ground/schema/index.ts"
import type { SessionStore } from "../../ground/store/index.ts"
import type { Given, Grants } from "./grants.ts"
import { lineOf } from "./line-of.ts"
import type { PermissionAsk } from "./permission-ask.ts"

/** What is judged, and by which rules. */
export interface JudgeInput {
  place: Pick<PermissionRequest, "rootID" | "sessionID">
  request: Pick<PermissionAsk, "permission" | "patterns" | "unknown" | "command" | "isHeld">
  /** The session's own rules, merged. */
  rules: PermissionRuleset
  /** The rules of each session above it. */
  ceilings: PermissionRuleset[]
}

export interface Judgement {
  verdict: PermissionVerdict
  /** Those that were asked, the presets' among them. */
  rulesets: [PermissionRuleset, ...PermissionRuleset[]]
}

/** Judges by rules, presets and grants, as they are now. `given` may not be stored yet. */
export type Judge = (input: JudgeInput, given?: Given) => Promise<Judgement>

interface JudgeDeps {
  grants: Pick<Grants, "of">
  sessions: Pick<SessionStore, "get">
}

export function createJudge({ grants, sessions }: JudgeDeps): Judge {
  return async ({ place, request, rules, ceilings }, given) => {
    const line = await lineOf(sessions, place.sessionID)
    const presets = presetRules(line)
    const above = [...ceilings, ...presets.ceilings]
    const rulesets = [rules, ...above] as const
    const { permission, patterns, unknown, command, isHeld = async () => false } = request
    const question = { permission, patterns, unknown, command, rules, ceilings: above }
    const byRules = evaluateRequest({ ...question, grants: [] })
    // Grants only answer what the rules leave open, so they are read for nothing else.
    if (byRules.action !== "ask") return { verdict: byRules, rulesets: [...rulesets] }
    const isCommandLifted = permission === "bash" && presets.lifts.some((lift) => lift.permission === permission)
    const lifts = liftsForCommand(presets.lifts, { isHeld: isCommandLifted && (await isHeld()), rulesets })
    const all = [...(await grants.of(place, line, given)), ...lifts]
    return { verdict: evaluateRequest({ ...question, grants: all }), rulesets: [...rulesets] }
  }
}
