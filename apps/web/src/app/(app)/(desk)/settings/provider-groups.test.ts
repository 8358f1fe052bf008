import type { ProviderInfo } from "@docket/core/schema"
import { describe, expect, it } from "vitest"
import { hasProblem, isLocal, originText, providerGroups, sourceText, withProjects } from "./provider-groups.ts"

const provider = (more: Partial<ProviderInfo>): ProviderInfo => ({
  id: "acme",
  name: "Acme",
  source: "none",
  env: ["ACME_API_KEY"],
  connected: false,
  baseURL: null,
  models: [],
  problem: null,
  ...more,
})

describe("providerGroups", () => {
  it("lists broken providers first, then working ones, then those to connect", () => {
    const all = [
      provider({ id: "c", name: "C", problem: "C has no key: set C_KEY." }),
      provider({ id: "b", name: "B", source: "environment", connected: true }),
      provider({ id: "a", name: "A", source: "saved", problem: "The key was refused." }),
    ]
    const groups = providerGroups(withProjects(all, []))
    expect(groups.listed.map((it) => it.provider.id)).toEqual(["a", "b", "c"])
    expect(groups.hasModel).toBe(false)
  })
})

it("withProjects adds what a docket.json sets up, and nothing twice", () => {
  const machine = [provider({ id: "a" }), provider({ id: "b", source: "config" })]
  const shop = {
    id: "prj_1",
    name: "shop",
    providers: [provider({ id: "a", source: "config" }), provider({ id: "b", source: "config" })],
  }
  const moved = provider({ id: "a", baseURL: "https://gateway.example", problem: "saved for another address" })
  const blog = { id: "prj_2", name: "blog", providers: [moved, provider({ id: "own", source: "config" })] }
  const plain = { id: "prj_3", name: "plain", providers: [provider({ id: "a" })] }
  const listed = withProjects(machine, [shop, blog, plain]).map((it) => [it.provider.id, it.project?.name ?? null])
  expect(listed).toEqual([
    ["a", null],
    ["b", null],
    ["a", "shop"],
    ["a", "blog"],
    ["own", "blog"],
  ])
})

describe("a provider that nobody set up", () => {
  it("is no failure and shows how to connect it", () => {
    const open = provider({ problem: "Acme has no key: set ACME_API_KEY." })
    expect(hasProblem(open)).toBe(false)
    expect(sourceText(open)).toBe("Acme has no key: set ACME_API_KEY.")
  })
  it("takes no key when it is a server on this machine", () => {
    expect(isLocal(provider({ env: [] }))).toBe(true)
    expect(
      isLocal(
        provider({ env: [], problem: "Lab has no address: set options.baseURL in docket.json to that of its API." }),
      ),
    ).toBe(false)
  })
})

it("originText tells which project sets a provider up", () => {
  const project = { id: "prj_1", name: "shop" }
  const text = (more: Partial<ProviderInfo>) => originText({ provider: provider(more), project })
  expect(text({ source: "config" })).toBe("From docket.json of shop")
  expect(text({ missingPackage: "far" })).toBe("From docket.json of shop, by the package far, which is not installed")
  expect(text({ problem: "Acme has no key." })).toBe("In shop: Acme has no key.")
  expect(originText({ provider: provider({ source: "saved" }), project: null })).toBe("Key saved here")
})

it("a provider's own page explains how to give its key", () => {
  const problem = "Acme has no key: set ACME_API_KEY, save one in Settings, or set options.apiKey in docket.json."
  expect(sourceText(provider({ problem, lacks: "key", env: ["ACME_API_KEY"] }))).toBe(
    "Add a key here, or set ACME_API_KEY",
  )
  expect(sourceText(provider({ problem: "save it again in Settings", lacks: "same-key" }))).toMatch(
    /save it again here$/,
  )
})
