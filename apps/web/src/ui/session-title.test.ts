import { expect, it } from "vitest"
import { sessionTitle } from "./session-title.ts"

it("shortens what the runtime adds and keeps what people and models wrote", () => {
  expect(sessionTitle("New session - 2026-11-21T22:39:22.557Z")).toBe("New session")
  expect(sessionTitle("Map the layout (@explore subagent)")).toBe("Map the layout")
  expect(sessionTitle("Fix the build - again (@home)")).toBe("Fix the build - again (@home)")
  expect(sessionTitle("")).toBe("Untitled")
})
