import { expect, test } from "vitest"
import { sandboxWords } from "./sandbox-words.ts"

test("the sandbox needs a look unless it is on, with the reason", () => {
  expect(sandboxWords({ state: "on", reason: null, remedy: null })).toMatchObject({ status: "done", title: "On" })
  expect(sandboxWords({ state: "weak", reason: "It is old.", remedy: null })).toMatchObject({
    status: "needs",
    text: "It is old.",
  })
  const off = sandboxWords({ state: "off", reason: "bubblewrap is not installed.", remedy: null })
  expect(off).toEqual({
    status: "needs",
    title: "Off: commands have all your rights",
    text: "bubblewrap is not installed.",
  })
})
