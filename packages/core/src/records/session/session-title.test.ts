import { expect, test } from "vitest"
import { createIdSource } from "../../ground/id/create-id.ts"
import { newSession } from "../../test/entities.ts"
import { childTitle, isUntitled, newSessionTitle, shortTitle } from "./session-title.ts"

const session = newSession(createIdSource())
const parentID = session.id

test("shown titles hide a new session's time stamp and a child's agent", () => {
  const title = newSessionTitle(session.time.created)
  expect(shortTitle({ ...session, title })).toBe("New session")
  expect(isUntitled({ ...session, title })).toBe(true)
  const child = { ...session, parentID, agent: "explore" }
  expect(shortTitle({ ...child, title: childTitle("Map the layout", "explore") })).toBe("Map the layout")
  expect(shortTitle({ ...child, title: childTitle("Map the layout", "other") })).toBe(
    "Map the layout (@other subagent)",
  )
  expect(shortTitle({ ...session, title: "Fix the build - again (@home)" })).toBe("Fix the build - again (@home)")
  expect(shortTitle({ ...session, title: "" })).toBe("Untitled")
})
