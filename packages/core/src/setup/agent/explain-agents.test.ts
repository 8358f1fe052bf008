import { expect, test } from "vitest"
import { mergeConfig } from "../config/merge-config.ts"
import type { Config } from "../config/schema.ts"
import { explainAgents } from "./explain-agents.ts"
import { resolveAgents } from "./resolve-agents.ts"

const own: Config = {
  permission: { bash: { "*": "ask", "git *": "allow" } },
  agent: { scout: { description: "Looks" } },
}
const project: Config = { permission: { bash: { "git push *": "deny" } }, agent: { scout: { tools: { edit: false } } } }
const sources = [
  { file: "/home/ada/.config/docket/docket.json", config: own },
  { file: "/project/docket.json", config: project },
]

test("an explained agent names its files and each deciding rule's source", () => {
  const agents = explainAgents(resolveAgents(mergeConfig(own, project)), { sources, home: "/home/ada" })
  const of = (name: string) => agents.find((agent) => agent.name === name)
  const rules = (name: string) =>
    of(name)?.rules.map(({ permission, pattern, action, from }) => [permission, pattern, action, from])
  expect(rules("build")).toEqual(
    expect.arrayContaining([
      ["*", "*", "allow", null],
      ["external_directory", "*", "ask", null],
      ["bash", "*", "ask", sources[0]?.file],
      ["bash", "git *", "allow", sources[0]?.file],
      ["bash", "git push *", "deny", sources[1]?.file],
    ]),
  )
  expect(of("build")?.from).toEqual([])
  expect(of("scout")).toMatchObject({ native: false, from: sources.map(({ file }) => file) })
  expect(rules("scout")).toContainEqual(["edit", "*", "deny", sources[1]?.file])
  expect(agents.map(({ name }) => name)).not.toContain("title")
})

test("an explained agent leaves out rules that a later one replaces", () => {
  const config: Config = { permission: "ask" }
  const agents = resolveAgents(config)
  const build = explainAgents(agents, { sources: [{ file: "/f", config }], home: "/" }).find(
    (it) => it.name === "build",
  )
  expect(build?.rules.filter(({ pattern }) => pattern === "*.env")).toEqual([])
  expect(build?.rules).toContainEqual({ permission: "*", pattern: "*", action: "ask", from: "/f" })
})
