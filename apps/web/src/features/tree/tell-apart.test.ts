import { expect, it } from "vitest"
import { tellApart } from "./tell-apart.ts"

it("numbers what is called the same, from the second on, and leaves the rest as it is", () => {
  const rows = ["Read", "Write", "Read", "Read"].map((name) => ({ name }))
  tellApart(rows, "name")
  expect(rows.map(({ name }) => name)).toEqual(["Read", "Write", "Read · 2", "Read · 3"])
})
