import { expect, it } from "vitest"
import { tellApart } from "./tell-apart.ts"

it("tellApart numbers equal names from the second on", () => {
  const rows = ["Read", "Write", "Read", "Read"].map((name) => ({ name }))
  tellApart(rows, "name")
  expect(rows.map(({ name }) => name)).toEqual(["Read", "Write", "Read · 2", "Read · 3"])
})
