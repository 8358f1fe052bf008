import type { ProviderInfo } from "@docket/core/schema"
import { describe, expect, it } from "vitest"
import { hasProblem, isLocal, providerGroups, sourceText, withProjects } from "./provider-groups.ts"

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
  it("puts what is broken first, then what works, then what could be connected", () => {
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
    name: "shop",
    providers: [provider({ id: "a", source: "config" }), provider({ id: "b", source: "config" })],
  }
  const blog = { name: "blog", providers: [provider({ id: "a" }), provider({ id: "own", source: "config" })] }
  const listed = withProjects(machine, [shop, blog]).map((it) => [it.provider.id, it.project])
  expect(listed).toEqual([
    ["a", null],
    ["b", null],
    ["a", "shop"],
    ["own", "blog"],
  ])
})

describe("a provider that nobody set up", () => {
  it("is no failure, and says how to connect it", () => {
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
