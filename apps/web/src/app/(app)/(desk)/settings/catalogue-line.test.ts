import { expect, test } from "vitest"
import { catalogueLine } from "./catalogue-line.ts"

test("a catalogue shows its day, a damaged one its problem", () => {
  const state = {
    source: "llm-zoo",
    date: "2026-09-23",
    from: null,
    refreshedAt: null,
    providers: 3,
    problem: null,
  } as const
  expect(catalogueLine(state)).toBe("Anthropic, OpenAI and Google as of 2026-09-23")
  expect(catalogueLine({ ...state, source: "refreshed", date: null })).toMatch(/^your refreshed copy .* not known$/)
  expect(catalogueLine({ ...state, problem: "It is damaged." })).toBe("It is damaged")
})
