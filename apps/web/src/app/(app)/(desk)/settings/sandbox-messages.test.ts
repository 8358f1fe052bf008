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
