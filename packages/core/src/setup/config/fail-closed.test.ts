import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { type BuiltinToolDeps, createBuiltinTools } from "../../engine/builtin-tools/builtin-tools.ts"
import { evaluatePermission } from "../../ground/rule/index.ts"
import type { PermissionAction } from "../../ground/schema/index.ts"
import { resolveAgents } from "../agent/resolve-agents.ts"
import { parseConfigText } from "./parse-config-text.ts"
import { loadTrusted } from "./test/load-trusted.ts"
import { noPrograms } from "./test/no-programs.ts"
import { permissionNames, strangeName } from "./tool-names.ts"

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "docket-closed-"))
})
afterEach(() => rm(root, { recursive: true }))

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), content)
}

/** The result of loading the files of a trusted project. */
async function load() {
  const report = await loadTrusted({
    project: { directory: root, worktree: root },
    home: join(root, "home"),
    env: {},
    programs: noPrograms,
  })
  const agents = resolveAgents(report.config, { closures: report.closures })
  const action = (permission: string, pattern = "x", name = "build") => {
    const agent = agents.find((candidate) => candidate.name === name)
    return evaluatePermission(permission, pattern, agent?.permission ?? []).action
  }
  return { ...report, action }
}

describe("a rule that cannot be read", () => {
  it.each([
    ['{ "bash": "alow" }', "bash", 'did you mean "allow"?'],
    ['{ "bash": null }', "bash", "bash"],
    ['{ "bash": 1, "*": "allow", "bash": ["allow"] }', "bash", "there twice"],
    ['{ "bash": { "*": "allow", "7": "deny" } }', "bash", "may not be a number alone"],
  ])("in %s denies its tool, and the rest of the file counts", async (permission, tool, message) => {
    await put("docket.json", `{\n  "model": "a/b",\n  "permission":\n    ${permission}\n}`)
    const { config, problems, action } = await load()
    expect(config.model).toBe("a/b")
    expect(problems).toMatchObject([
      { file: join(root, "docket.json"), line: 4, message: expect.stringContaining(message) },
    ])
    expect([action(tool), action("edit")]).toEqual(["deny", "allow"])
  })

  it.each([
    ['"agent": { "build": { "tools": { "nothing_of_this": true } } }', /"build": there is no tool "nothing_of_this"/],
    ['"websearch": { "provider": "tavily" }', /websearch\.api_key.*offered no web search/],
    ['"websearch": { "provider": "searxng" }', /websearch\.url.*offered no web search/],
    ['"websearch": { "provider": "askme" }', /websearch\.provider/],
  ])("a configuration with %s says what is wrong", async (entry, message) => {
    await put("docket.json", `{ ${entry} }`)
    const { problems } = await load()
    expect(problems.map((problem) => problem.message)).toEqual([expect.stringMatching(message)])
  })

  it("denies only what it names, and leaves the others as they are", async () => {
    await put("docket.json", '{ "permission": { "edit": { "*": "ask", "*.ts": 5, "*.md": "allow" }, "bash": "deny" } }')
    const { problems, action } = await load()
    expect(problems.map(({ message }) => message)).toEqual([
      '"permission.edit.*.ts": 5 is not an action; write "allow", "ask" or "deny". "edit" is denied on "*.ts" until this is mended.',
    ])
    expect([action("edit", "a.ts"), action("edit", "a.md"), action("edit", "a.c"), action("bash")]).toEqual([
      "deny",
      "allow",
      "ask",
      "deny",
    ])
  })

  it.each([
    ['{ "edti": "deny" }', "edit", "deny", 'Did you mean "edit"?'],
    ['{ "edit": "allow", "Bash": "ask", "*": "allow" }', "bash", "ask", 'Did you mean "bash"?'],
    ['{ "edit": { "*": "allow", "x": "allow" }, "edti": { "*": "allow", "x": "deny" } }', "edit", "deny", "edit"],
    ['{ "write": "deny" }', "edit", "deny", '"write" is judged by "edit"'],
    ['{ "todoupdate": "deny" }', "todowrite", "deny", '"todoupdate" is judged by "todowrite"'],
  ])("in %s with a misspelt tool restricts the intended tool", async (permission, tool, wanted, message) => {
    await put("docket.json", `{ "permission": ${permission} }`)
    const { problems, action } = await load()
    expect(problems).toMatchObject([{ line: 1, message: expect.stringContaining(message) }])
    expect([action(tool), action("grep")]).toEqual([wanted, "allow"])
  })

  it("in a tools map turns off the tools that it may mean", async () => {
    await put("docket.json", '{ "agent": { "build": { "tools": { "bsah": false, "write": false, "grpe": true } } } }')
    const { problems, action } = await load()
    expect(problems).toHaveLength(2)
    expect([action("bash"), action("edit"), action("grep"), action("read")]).toEqual(["deny", "deny", "allow", "allow"])
  })

  it("is reported for unknown names, but not for patterns that match tools", async () => {
    await put(
      "docket.json",
      '{ "permission": { "frobnicate": "deny", "web*": "deny", "todo*": "ask", "edit": "ask" } }',
    )
    const { problems, action } = await load()
    expect(problems.map(({ message }) => message)).toEqual(['there is no tool "frobnicate". The rule decides nothing.'])
    expect([action("edit"), action("read")]).toEqual(["ask", "allow"])
  })

  it("is never a rule for a permission of a built-in tool", () => {
    const tools = createBuiltinTools({ env: {}, clock: Date.now } as unknown as BuiltinToolDeps)
    for (const { permission } of tools) expect(permissionNames).toContain(permission)
  })

  it("for a tool without own permission names the one that judges it", () => {
    const tools = createBuiltinTools({ env: {}, clock: Date.now } as unknown as BuiltinToolDeps)
    for (const { id, permission } of tools.filter((tool) => tool.permission !== tool.id)) {
      expect([id, strangeName(id)?.meant]).toEqual([id, [permission]])
    }
  })

  it("denies in an agent's permission and in its map of tools too", async () => {
    await put(
      "docket.json",
      '{ "agent": { "build": { "permission": { "edit": "no" }, "tools": { "bash": "off" }, "steps": 4 } } }',
    )
    const { config, problems, action } = await load()
    expect(config.agent?.build?.steps).toBe(4)
    expect(problems).toHaveLength(2)
    expect([action("edit"), action("bash"), action("read"), action("edit", "x", "general")]).toEqual([
      "deny",
      "deny",
      "allow",
      "allow",
    ])
  })
})

describe("a permission section that cannot be read", () => {
  it.each(['"alow"', "5", "null", "[]", "false"])(
    "such as %s asks for everything; the rest of the file applies",
    async (permission) => {
      await put("docket.json", `{\n  "model": "a/b",\n  "permission": ${permission}\n}`)
      const { config, problems, action } = await load()
      expect(config.model).toBe("a/b")
      expect(problems).toMatchObject([{ line: 3, message: expect.stringContaining("Everything is asked") }])
      expect([action("bash"), action("edit"), action("read")]).toEqual(["ask", "ask", "ask"])
    },
  )

  it("keeps denials of other files and is not overridden by their permissions", async () => {
    await put("home/.config/docket/docket.json", '{ "permission": { "edit": "deny" } }')
    await put("docket.json", '{ "permission": 5 }')
    await put("docket.jsonc", '{ "permission": { "bash": "allow" } }')
    const { action } = await load()
    expect([action("edit"), action("bash")]).toEqual(["deny", "ask"])
  })

  it("of one agent makes everything of that agent a question", async () => {
    await put(
      "docket.json",
      '{ "agent": { "build": { "permission": 5 }, "plan": { "permissions": { "bash": "deny" } }, "general": 7 } }',
    )
    const { problems, action } = await load()
    expect(problems).toHaveLength(3)
    expect([action("edit"), action("read", "x", "plan"), action("edit", "x", "general")]).toEqual(["ask", "ask", "ask"])
    expect(action("read", "x", "explore")).toBe("allow")
  })

  it("asks for everything when misspelt or duplicated, and keeps denials", async () => {
    await put("docket.json", '{ "permision": { "bash": "deny" } }')
    expect((await load()).action("edit")).toBe("ask")
    await put("docket.json", '{ "permission": { "bash": "deny" }, "permission": { "*": "allow" } }')
    const twice = await load()
    expect([twice.action("bash"), twice.action("edit")]).toEqual(["deny", "ask"])
  })

  it("asks for everything when the default agent is unreadable", async () => {
    await put("docket.json", '{ "default_agent": 5 }')
    expect((await load()).action("edit")).toBe("ask")
  })
})

describe("rules under a key that stands twice in a file", () => {
  it.each([
    ['"permission": { "bash": "deny" }, "agent": { "build": { "permission": {}, "permission": { "*": "allow" } } }'],
    ['"permission": { "bash": "deny" }, "agent": { "build": { "tools": {}, "tools": { "bash": true } } }'],
    ['"permission": { "bash": "deny" }, "agent": { "build": {}, "build": { "permission": { "bash": "allow" } } }'],
    ['"permission": { "bash": "deny" }, "agent": {}, "agent": { "build": { "permission": { "bash": "ask" } } }'],
  ])("lift no denial from elsewhere: %s", async (members) => {
    await put("docket.json", `{ ${members} }`)
    const { problems, action } = await load()
    expect(problems).toMatchObject([{ message: expect.stringContaining("there twice. Everything is asked of") }])
    expect([action("bash"), action("edit"), action("edit", "x", "general")]).toEqual(["deny", "ask", "allow"])
  })

  it("lift no denial of an agent that ships with Docket", async () => {
    await put("docket.json", '{ "permission": {}, "permission": { "*": "allow" } }')
    const { action } = await load()
    expect([action("edit", "x", "explore"), action("edit")]).toEqual(["deny", "ask"])
  })
})

describe("a file that cannot be read", () => {
  it("asks for everything, and denies what it clearly denies", async () => {
    await put(
      "docket.json",
      '{ "permission": { "edit": "deny", "read": "allow", "bash": { "rm *": "deny" } }, "agent": { "plan": { "tools": { "write": false } } }',
    )
    const { config, problems, action } = await load()
    expect(config).toEqual({})
    expect(problems[0]?.message).toContain("everything is asked until this is mended")
    expect([action("edit"), action("read"), action("bash", "rm x"), action("bash", "ls")]).toEqual([
      "deny",
      "ask",
      "deny",
      "ask",
    ])
    expect(action("edit", ".docket/plans/a.md", "plan")).toBe("deny")
  })

  it.each([
    ["empty", ""],
    ["no object", "[]"],
    ["nested too deeply", `{ "a": ${"[".repeat(200_000)}`],
    ["too large", `{ "$schema": "${"x".repeat(1_048_576)}" }`],
  ])("asks for everything when it is %s", async (_, text) => {
    await put("docket.json", text)
    const { problems, action } = await load()
    expect(problems.length).toBeGreaterThan(0)
    expect([action("bash"), action("edit")]).toEqual(["ask", "ask"])
  })
})

describe("prototype keys", () => {
  it("reach no prototype and change no rule", async () => {
    const text =
      '{ "__proto__": { "permission": "allow" }, "permission": { "__proto__": { "*": "allow" }, "bash": "deny" }, "agent": { "__proto__": { "build": { "permission": "allow" } }, "constructor": { "permission": { "edit": "deny" } } } }'
    await put("docket.json", text)
    await put(".docket/agents/__proto__.md", "---\nbuild:\n  permission: allow\n---\nHi")
    await put(".docket/agents/odd.md", "---\n__proto__:\n  permission: allow\npermission:\n  edit: deny\n---\nHi")
    const { config, action } = await load()
    expect(Object.keys(config.agent ?? {}).sort()).toEqual(["constructor", "odd"])
    expect([
      action("bash"),
      action("bash", "x", "odd"),
      action("edit", "x", "odd"),
      action("edit", "x", "constructor"),
    ]).toEqual(["deny", "deny", "deny", "deny"])
    expect(({} as Record<string, unknown>).permission).toBeUndefined()
  })
})

const severity: Record<PermissionAction, number> = { allow: 0, ask: 1, deny: 2 }
const action = fc.constantFrom("allow", "ask", "deny" as const)
const rules = fc.dictionary(
  fc.constantFrom("*", "edit", "bash", "read"),
  fc.oneof(action, fc.dictionary(fc.constantFrom("*", "a", "*.ts"), action, { minKeys: 1 })),
  { minKeys: 1 },
)
const agentRules = fc.record({ permission: rules }, { requiredKeys: [] })
const fileWith = (build: fc.Arbitrary<object>) =>
  fc.record({
    model: fc.constant("a/b"),
    permission: rules,
    agent: fc.record({ build }, { requiredKeys: [] }),
  })
const file = fileWith(agentRules)
const tools = fc.dictionary(fc.constantFrom("edit", "write", "bash"), fc.boolean(), { minKeys: 1 })
const agentRights = fc.record({ permission: rules, tools }, { requiredKeys: [] })
/** Values that are neither an action nor a map. */
const nonsense = fc.constantFrom<unknown>(5, "alow", null, true, [], ["allow"], "")
const asked = ["edit", "bash", "read", "task"].flatMap((tool) =>
  ["a", "b.ts"].map((pattern) => [tool, pattern] as const),
)

function outcomes(text: string): PermissionAction[] {
  const { config, closures } = parseConfigText("docket.json", text)
  const build = resolveAgents(config ?? {}, { closures }).find(({ name }) => name === "build")
  return asked.map(([tool, pattern]) => evaluatePermission(tool, pattern, build?.permission ?? []).action)
}

/** Every place below the rights of a file, as keys. */
function places(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [path]
  return [path, ...Object.entries(value).flatMap(([key, item]) => places(item, [...path, key]))]
}
const rightsOf = (value: unknown) =>
  places(value).filter(([section]) => section === "permission" || section === "agent")

/** The JSON text of a value, in which `write` writes the property at `path`. */
function rewrite(value: unknown, path: readonly string[], write: (key: string, item: string) => string): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, item]) => {
    const here = key === path[0]
    if (here && path.length === 1) return write(JSON.stringify(key), JSON.stringify(item))
    return `${JSON.stringify(key)}:${here ? rewrite(item, path.slice(1), write) : JSON.stringify(item)}`
  })
  return `{${members.join(",")}}`
}
const atSomePlace = <T>(files: fc.Arbitrary<T>) =>
  files.chain((value) => fc.tuple(fc.constant(value), fc.constantFrom(...rightsOf(value))))

function expectNoLooser(before: PermissionAction[], after: PermissionAction[], least: PermissionAction = "deny"): void {
  for (const [at, was] of before.entries()) {
    expect(severity[after[at] ?? "allow"]).toBeGreaterThanOrEqual(Math.min(severity[was], severity[least]))
  }
}

describe("a valid file that is damaged", () => {
  it("is never looser with an invalid rule, and asks for invalid sections", () => {
    fc.assert(
      fc.property(atSomePlace(file), nonsense, ([value, path], wrong) => {
        const text = rewrite(value, path, (key) => `${key}:${JSON.stringify(wrong)}`)
        const isSection = path.at(-1) === "permission" || (path[0] === "agent" && path.length < 3)
        expectNoLooser(outcomes(JSON.stringify(value)), outcomes(text), isSection ? "ask" : "deny")
      }),
      drawn(),
    )
  })

  it("is never looser with a duplicate key", () => {
    const other = fc.oneof(
      action,
      rules,
      nonsense,
      tools,
      agentRights,
      fc.record({ build: agentRights }),
      fc.constant({}),
    )
    fc.assert(
      fc.property(atSomePlace(fileWith(agentRights)), other, fc.boolean(), ([value, path], second, first) => {
        const text = rewrite(value, path, (key, item) => {
          const both = [`${key}:${item}`, `${key}:${JSON.stringify(second)}`]
          return (first ? both.reverse() : both).join(",")
        })
        expectNoLooser(outcomes(JSON.stringify(value)), outcomes(text))
      }),
      drawn(),
    )
  })

  it("asks or denies everything when truncated; denials before the cut stay", () => {
    fc.assert(
      fc.property(file, fc.nat(), (value, at) => {
        const whole = JSON.stringify(value)
        const after = outcomes(whole.slice(0, at % whole.length))
        expect(after).not.toContain("allow")
      }),
      drawn(),
    )
    // The first outcome is that of "edit" on "a", the fifth that of "read" on "a".
    const text = '{"permission":{"edit":"deny","bash":"ask"},"agent":{"build":{"permission":{"read":"deny"}}}}'
    for (let end = text.indexOf(',"bash"'); end < text.length; end++) {
      expect(outcomes(text.slice(0, end))[0]).toBe("deny")
    }
    expect(outcomes(text.slice(0, -1))[4]).toBe("deny")
  })
})
