import { expect, it } from "vitest"
import { originsIn } from "./origins-in.ts"

const from = { layer: "default" } as const

it("originsIn lists complete origins, also from a truncated text", () => {
  const value = '["https://app.example.org","http://localhost:5173","https://cut.exa…'
  expect(originsIn([{ path: ["share"], value: "manual", from }])).toEqual([])
  expect(originsIn([{ path: ["api", "origins"], value, from }])).toEqual([
    "https://app.example.org",
    "http://localhost:5173",
  ])
})
