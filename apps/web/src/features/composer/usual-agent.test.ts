import type { Agent } from "@docket/core/schema"
import { expect, it } from "vitest"
import { usualAgent } from "./usual-agent.ts"

// Only the fields that the code reads.
const agents = (...names: string[]) => names.map((name) => ({ name, mode: "primary", hidden: false })) as Agent[]

it("the default agent is the configured one, else build, else first primary", () => {
  expect(usualAgent("plan", agents("build"))).toBe("plan")
  expect(usualAgent(undefined, agents("ask", "build"))).toBe("build")
  expect(usualAgent(undefined, agents("ask", "plan"))).toBe("ask")
  expect(usualAgent(undefined, [])).toBe("build")
})
