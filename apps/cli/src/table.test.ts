import { expect, it } from "vitest"
import { tableLines } from "./table.ts"

it("table lines align columns and contain no cursor movements", () => {
  const rows = [
    ["id", "name"],
    ["tok_1", "ci"],
    ["tok_22", "a\u001b[2J\nb"],
    ["tok_3", "\u202Egpj.\u2066x\u2028y"],
  ]
  expect(tableLines(rows)).toEqual(["id      name", "tok_1   ci", "tok_22  a [2J b", "tok_3    gpj. x y"])
})
