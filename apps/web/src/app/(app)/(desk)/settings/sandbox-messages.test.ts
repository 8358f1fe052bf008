import { expect, test } from "vitest"
import { sandboxMessage } from "./sandbox-messages.ts"

test("the sandbox needs a look unless it is on, with the reason", () => {
  expect(sandboxMessage({ state: "on", reason: null, remedy: null })).toMatchObject({ status: "done", title: "On" })
  expect(sandboxMessage({ state: "weak", reason: "It is old.", remedy: null })).toMatchObject({
    status: "needs",
    text: "It is old.",
  })
  const off = sandboxMessage({ state: "off", reason: "bubblewrap is not installed.", remedy: null })
  expect(off).toEqual({
    status: "needs",
    title: "Off: commands have all your rights",
    text: "bubblewrap is not installed.",
  })
})

test("containers in which commands run are named, working or not", () => {
  const on = sandboxMessage({ state: "on", reason: null, remedy: null, image: "own:1" })
  expect(on).toMatchObject({ status: "done", text: expect.stringContaining("own:1") })
  const off = sandboxMessage({ state: "off", reason: "The engine does not run.", remedy: null, image: "own:1" })
  expect(off).toMatchObject({ title: "No command runs: its containers do not hold", text: "The engine does not run." })
})
