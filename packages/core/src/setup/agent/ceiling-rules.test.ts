import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  evaluatePermission,
  evaluateRequest,
  type Grant,
  hiddenTools,
  rulesFromConfig,
  UNKNOWN_PATTERN,
} from "../../ground/rule/index.ts"
import { loadConfig } from "../config/load-config.ts"
import type { LoadedConfig } from "../config/loaded-config.ts"
import type { Config } from "../config/schema.ts"
import { noPrograms } from "../config/test/no-programs.ts"
import { ceilingRules } from "./ceiling-rules.ts"
import { resolveAgents } from "./resolve-agents.ts"

const action = fc.constantFrom("allow", "ask", "deny" as const)
const name = fc.constantFrom("*", "bash", "edit", "read", "ed*", "webfetch")
const pattern = fc.constantFrom("*", "a", "a*", "?", "git *", "git log *", "*.env")
const permission = fc.oneof(action, fc.dictionary(name, fc.oneof(action, fc.dictionary(pattern, action))))
const tools = fc.dictionary(fc.constantFrom("bash", "write", "read", "webfetch"), fc.boolean())
const agents = fc.constantFrom("build", "plan", "general", "explore")
const agentConfig = fc.record({ permission, tools }, { requiredKeys: [] })
const config: fc.Arbitrary<UserConfig> = fc.record(
  { permission, agent: fc.dictionary(agents, agentConfig) },
  { requiredKeys: [] },
)
const asked = fc.record({
  permission: fc.constantFrom("bash", "edit", "read", "webfetch"),
  pattern: fc.constantFrom("a", "ab", "git", "git log x", ".env", UNKNOWN_PATTERN),
  agent: agents,
})
const grants: fc.Arbitrary<Grant[]> = fc.array(fc.record({ permission: name, pattern }), { maxLength: 2 })
/** How strict each action is. */
const order = { allow: 0, ask: 1, deny: 2 }

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "docket-ceilings-"))
  await mkdir(join(root, "home/.config/docket"), { recursive: true })
  await mkdir(join(root, "project"))
})
afterAll(() => rm(root, { recursive: true }))

/** Loads the configuration for these two docket.json files. `trusted` trusts the project's. */
async function load(
  user: object,
  project: object,
  trusted: boolean,
): Promise<{ alone: LoadedConfig; both: LoadedConfig }> {
  await writeFile(join(root, "home/.config/docket/docket.json"), JSON.stringify(user))
  await writeFile(join(root, "project/docket.json"), JSON.stringify(project))
  const input = { home: join(root, "home"), env: {}, programs: noPrograms }
  const place = { worktree: join(root, "project"), directory: join(root, "project") }
  const alone = await loadConfig({ ...input, project: null, trustedIn: async () => [] })
  const first = await loadConfig({ ...input, project: place, trustedIn: async () => [] })
  if (!trusted) return { alone, both: first }
  const hashes = [{ hash: first.trust.hash ?? "" }]
  return { alone, both: await loadConfig({ ...input, project: place, trustedIn: async () => hashes }) }
}

type UserConfig = Pick<Config, "permission" | "agent">
type Question = { permission: string; pattern: string; agent: string }

function outcome({ config, ceilings }: LoadedConfig, { permission, pattern, agent }: Question, granted: Grant[]) {
  const rules = resolveAgents(config).find((candidate) => candidate.name === agent)?.permission ?? []
  const limits = ceilings.map((ceiling) => ceilingRules(ceiling, agent))
  return evaluateRequest({ permission, patterns: [pattern], rules, ceilings: limits, grants: granted }).action
}

/** Whether the user's own file denies it: the last match in the file decides. */
function userDenies({ permission: everyone = {}, agent = {} }: UserConfig, question: Question): boolean {
  const own = agent[question.agent]
  const switched = Object.entries(own?.tools ?? {}).map(([tool, on]) => {
    return [tool === "write" ? "edit" : tool, on ? "allow" : "deny"] as const
  })
  const rules = [everyone, Object.fromEntries(switched), own?.permission ?? {}].map((rules) => rulesFromConfig(rules))
  return evaluatePermission(question.permission, question.pattern, ...rules).action === "deny"
}

describe("a project's permissions", () => {
  it("are never looser than the user's while the project is untrusted", async () => {
    await fc.assert(
      fc.asyncProperty(config, config, asked, grants, async (user, project, question, granted) => {
        const { alone, both } = await load(user, project, false)
        const [before, after] = [outcome(alone, question, granted), outcome(both, question, granted)]
        expect(order[after]).toBeGreaterThanOrEqual(order[before])
      }),
      drawn(200, 50),
    )
  })

  it("limit an untrusted project: whatever they deny is denied", async () => {
    const project = { permission: { bash: { "git push *": "deny" } }, agent: { build: { tools: { webfetch: false } } } }
    const { both } = await load({ permission: "allow" }, project, false)
    const ask = (permission: string, pattern: string, agent = "build") =>
      outcome(both, { permission, pattern, agent }, [{ permission: "*", pattern: "*" }])
    expect([ask("bash", "git push x"), ask("bash", "ls"), ask("edit", "a")]).toEqual(["deny", "allow", "allow"])
    expect([ask("webfetch", "a"), ask("webfetch", "a", "general")]).toEqual(["deny", "allow"])
    const limits = both.ceilings.map((ceiling) => ceilingRules(ceiling, "build"))
    expect(hiddenTools([], [{ id: "webfetch", permission: "webfetch" }], limits)).toEqual(new Set(["webfetch"]))
  })

  it("never allow what the user denies, even with trust and everything granted", async () => {
    await fc.assert(
      fc.asyncProperty(config, config, asked, grants, async (user, project, question, granted) => {
        fc.pre(userDenies(user, question))
        const { both } = await load(user, project, true)
        const everything = [...granted, { permission: "*", pattern: "*" }]
        expect(outcome(both, question, everything)).toBe("deny")
      }),
      drawn(200, 50),
    )
  })

  it("allow what the user's rules ask, once the project is trusted", async () => {
    const { both } = await load({ permission: { bash: "ask" } }, { permission: { bash: "allow" } }, true)
    expect(both.trust.state).toBe("trusted")
    expect(outcome(both, { permission: "bash", pattern: "ls", agent: "build" }, [])).toBe("allow")
  })

  it.each([false, true])("leave what they do not name as it is, trusted: %s", async (trusted) => {
    const { both } = await load({ permission: { sandbox: "allow" } }, { permission: { bash: "ask" } }, trusted)
    const ask = (permission: string, pattern: string, agent: string) =>
      outcome(both, { permission, pattern, agent }, [])
    expect(ask("edit", ".docket/plans/a.md", "plan")).toBe("allow")
    expect(ask("sandbox", "git push", "build")).toBe("allow")
    expect([".docket/agents/a.md", "docket.json"].map((file) => ask("edit", file, "build"))).toEqual(["ask", "ask"])
  })
})
