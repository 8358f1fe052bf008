import { expect, it } from "vitest"
import { offboardingMessages } from "./offboarding-messages.ts"

const none = { withdrawn: 0, stopped: 0, running: 0, paused: 0, hidden: 0, keys: 0, tokens: 0 }

it("offboarding messages count what a person left behind, omitting zeros", () => {
  expect(offboardingMessages(none)).toEqual([])
  expect(offboardingMessages({ ...none, withdrawn: 1, paused: 3, keys: 2, tokens: 1, hidden: 1_200 })).toEqual([
    "1 prompt that waited was withdrawn",
    "3 schedules are paused",
    "2 keys of programs ended",
    "1 token for /v1 ended",
    "1,200 private sessions are seen by nobody now",
  ])
  expect(offboardingMessages({ stopped: 2, running: 1 })).toEqual([
    "2 running turns were stopped",
    "1 running turn goes on to its end",
  ])
})
