import type { PreviewedHistory } from "@docket/core"
import { expect, test } from "vitest"
import { changeMessage, readRules, totalMessage } from "./history-messages.ts"

const judged: PreviewedHistory = {
  asked: 61,
  wouldAsk: 4,
  wouldRefuse: 0,
  judged: 70,
  unknown: 0,
  more: false,
  changes: [],
}

test("the total tells how often a person would have been asked", () => {
  expect(totalMessage(judged)).toBe("You would have been asked 4 times, not 61 times.")
  expect(totalMessage({ ...judged, wouldAsk: 61, wouldRefuse: 1 })).toBe(
    "You would have been asked as often as you were: 61 times. It would have refused once.",
  )
  expect(changeMessage({ wasAsked: false, times: 2 })).toBe("Nobody was asked then, 2 times")
})

test("readRules parses rules with or without their key, and reports errors", () => {
  const rules = { bash: { "git *": "allow" } }
  expect(readRules(JSON.stringify(rules))).toEqual({ rules, problem: null })
  expect(readRules(JSON.stringify({ permission: rules }))).toEqual({ rules, problem: null })
  expect(readRules('"ask"')).toEqual({ rules: "ask", problem: null })
  expect(readRules("{ bash: ask }").problem).toContain("not JSON")
  expect(readRules('{ "bash": "alow" }').problem).toContain("allow")
})
