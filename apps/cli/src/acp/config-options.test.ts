import type { Agent, ModelInfo, Session } from "@docket/core/schema"
import { describe, expect, it } from "vitest"
import { type Choices, configOptions, modesOf, settingsChange } from "./config-options.ts"

const agent = (name: string, more: Partial<Agent> = {}): Choices["agents"][number] => ({
  ...{ name, description: `The ${name}`, mode: "primary", hidden: false, problem: null, model: null },
  ...more,
})
const model = (id: string, variants: string[] = []) =>
  ({ id, name: id.toUpperCase(), variants }) as unknown as ModelInfo

const choices: Choices = {
  agents: [
    agent("build"),
    agent("plan", { model: { providerID: "one", modelID: "b" } }),
    agent("explore", { mode: "subagent" }),
    agent("title", { hidden: true }),
    agent("broken", { problem: "Its file cannot be read." }),
  ],
  providers: [
    { id: "one", name: "One", connected: true, models: [model("a"), model("b", ["low", "high"])] },
    { id: "two", name: "Two", connected: false, models: [model("c")] },
  ],
  defaultModel: { providerID: "one", modelID: "a" },
}

const session = (more: Partial<Session> = {}) =>
  ({ agent: "build", model: null, variant: null, preset: null, ...more }) as Session

/** The current value of each option. */
const currents = (settings: Session) =>
  Object.fromEntries(configOptions(choices, settings).map(({ id, currentValue }) => [id, currentValue]))

describe("modes", () => {
  it("are the agents that may lead a session", () => {
    expect(modesOf(choices, session()).availableModes.map(({ id }) => id)).toEqual(["build", "plan"])
  })

  it("name the current agent, also one that is gone", () => {
    const modes = modesOf(choices, session({ agent: "gone" }))
    expect(modes.currentModeId).toBe("gone")
    expect(modes.availableModes.map(({ id }) => id)).toEqual(["gone", "build", "plan"])
  })
})

describe("options", () => {
  it.each([
    [session(), { mode: "build", model: "one/a", preset: "default" }],
    [session({ agent: "plan" }), { mode: "plan", model: "one/b", effort: "default", preset: "default" }],
    [
      session({ model: { providerID: "one", modelID: "b" }, variant: "high", preset: { name: "edit", at: 1 } }),
      { mode: "build", model: "one/b", effort: "high", preset: "edit" },
    ],
    [session({ model: { providerID: "two", modelID: "c/d" } }), { mode: "build", model: "two/c/d", preset: "default" }],
  ])("of %o are %o", (settings, expected) => {
    expect(currents(settings)).toEqual(expected)
  })

  it("list models by provider, and the one in use in any case", () => {
    const groups = (settings: Session) => {
      const option = configOptions(choices, settings).find(({ id }) => id === "model")
      const listed = option?.type === "select" ? option.options : []
      return listed.map((group) => ("options" in group ? [group.name, group.options.map(({ value }) => value)] : []))
    }
    const one = ["One", ["one/a", "one/b"]]
    expect(groups(session())).toEqual([one])
    expect(groups(session({ model: { providerID: "two", modelID: "c" } }))).toEqual([["In use", ["two/c"]], one])
  })
})

describe("a chosen value", () => {
  it.each([
    ["mode", "plan", { agent: "plan" }],
    ["model", "one/b/c", { model: { providerID: "one", modelID: "b/c" } }],
    ["effort", "high", { variant: "high" }],
    ["effort", "default", { variant: null }],
    ["preset", "sandbox", { preset: "sandbox" }],
    ["preset", "default", { preset: null }],
  ])("of %s, %s, changes %o", (configId, value, change) => {
    expect(settingsChange(configId, value)).toEqual(change)
  })

  it.each([
    ["colour", "red"],
    ["preset", "everything"],
    ["model", "nonsense"],
    ["mode", true],
  ])("of %s, %s, is refused", (configId, value) => {
    expect(() => settingsChange(configId, value)).toThrow()
  })
})
