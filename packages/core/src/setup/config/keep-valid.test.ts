import { expect, test } from "vitest"
import { keepValid } from "./keep-valid.ts"
import { Config } from "./schema.ts"

const good = { type: "command", command: "good" }

test("a wrong hook is left out whole, and its neighbours stay", () => {
  const wrong = { type: "command", command: "wrong", if: 7, timeout: 0 }
  const { data, issues } = keepValid(Config, { hooks: { Stop: [{ hooks: [good, wrong, good] }] } })
  expect(data?.hooks?.Stop).toEqual([{ hooks: [good, good] }])
  expect(issues.map(({ path }) => path.at(-1))).toEqual(["if", "timeout"])
})

test("hooks with a wrong matcher are left out", () => {
  const { data } = keepValid(Config, { hooks: { PreToolUse: [{ matcher: 7, hooks: [good] }, { hooks: [good] }] } })
  expect(data?.hooks?.PreToolUse).toEqual([{ hooks: [good] }])
})
