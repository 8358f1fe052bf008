import { describe, expect, it } from "vitest"
import type { PermissionRuleset } from "../schema/index.ts"
import { askReasons } from "./ask-reasons.ts"
import { describeReasons } from "./describe-ask.ts"
import { defaultRules, rulesFromConfig } from "./rules.ts"

const command = { kind: "command", command: "x", description: "", workdir: "/" } as const
const said = (permission: string, patterns: string[], rules: PermissionRuleset, metadata: object = command) =>
  describeReasons({
    permission,
    patterns,
    metadata: metadata as typeof command,
    reasons: askReasons(permission, patterns, [rules]),
  })

describe("askReasons", () => {
  it("names the rule that asks, once for all that it covers", () => {
    const rules = rulesFromConfig({ bash: { "*": "allow", "git *": "ask" } })
    expect(askReasons("bash", ["git push", "git fetch"], [rules])).toEqual([
      {
        why: "rule",
        patterns: ["git push", "git fetch"],
        rule: { permission: "bash", pattern: "git *", action: "ask" },
      },
    ])
  })

  it("names the place, file, configuration or unknown part as the reason", () => {
    const rules = defaultRules()
    expect(said("external_directory", ["/etc/*"], rules)).toEqual(["/etc/* is outside the project."])
    expect(said("read", [".env"], rules)).toEqual([".env is a file of a kind that often holds secrets."])
    expect(said("edit", [".docket/agents/a.md"], rules)).toEqual([
      ".docket/agents/a.md is configuration of Docket, which only a rule that names it may allow.",
    ])
    const restricted = rulesFromConfig({ "*": "allow", bash: { "rm *": "deny" } })
    expect(said("bash", ["*"], restricted)).toEqual(["Some of what it runs is known only when it runs."])
    expect(said("bash", ["*"], restricted, { ...command, effects: null })).toEqual([
      "The command cannot be understood beforehand: it may run and touch anything.",
    ])
    expect(said("bash", ["ls"], [])).toEqual(["No rule covers ls."])
  })

  it("says that a rule is held back because configuration cannot be read", () => {
    const held = { permission: "*", pattern: "*", action: "ask", heldBack: true } as const
    expect(said("bash", ["ls"], [held])).toEqual([
      "Some of the configuration cannot be read, so that everything is asked until it is mended: see Settings.",
    ])
  })

  it("takes the reason from the session above whose rules ask", () => {
    const own = rulesFromConfig("allow")
    const above = rulesFromConfig({ bash: "ask" })
    expect(askReasons("bash", ["ls"], [own, above])).toMatchObject([{ why: "rule", rule: above[0] }])
  })
})
