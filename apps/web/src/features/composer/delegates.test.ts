import type { Agent } from "@docket/core/schema"
import { expect, it } from "vitest"
import { delegates } from "./delegates.ts"

const agent = (name: string, more: Partial<Agent> = {}): Agent => ({
  name,
  description: "",
  mode: "subagent",
  native: true,
  hidden: false,
  permission: [],
  model: null,
  variant: null,
  prompt: null,
  temperature: null,
  topP: null,
  steps: null,
  color: null,
  options: {},
  problem: null,
  ...more,
})

it("after @ only agents that the answering agent may start are offered", () => {
  const agents = [
    agent("build", { mode: "primary" }),
    agent("plan", { mode: "primary", permission: [{ permission: "task", pattern: "general", action: "deny" }] }),
    agent("general"),
    agent("explore"),
    agent("title", { hidden: true }),
    agent("reviewer", { mode: "all" }),
  ]
  const names = (lead: string) => delegates(agents, lead).map(({ name }) => name)
  expect(names("build")).toEqual(["general", "explore", "reviewer"])
  expect(names("plan")).toEqual(["explore", "reviewer"])
  expect(names("gone")).toEqual(["general", "explore", "reviewer"])
})
