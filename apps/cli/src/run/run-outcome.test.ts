import type { MessageError, Turn } from "@docket/core/schema"
import { expect, test } from "vitest"
import { exitCode } from "../exit-code.ts"
import { RunOutcome, runOutcome } from "./run-outcome.ts"

const ended = (status: Turn["status"], name?: MessageError["name"]) => ({
  status,
  error: name === undefined ? null : { name, message: "why", statusCode: null, retryable: false },
})

test.each([
  ["done", ended("completed"), 0],
  ["refused", ended("completed"), 2],
  ["refused", ended("failed", "RejectedError"), 0],
  ["limit", ended("failed", "LimitReachedError"), 1],
  ["failed", ended("failed", "APIError"), 1],
  ["failed", ended("interrupted", "InterruptedError"), 0],
  ["failed", ended("aborted", "InterruptedError"), 0],
  ["stopped", ended("aborted", "AbortedError"), 1],
] as const)("a run is %s after %j with %i refused requests", (outcome, turn, refused) => {
  expect(runOutcome(turn, refused)).toBe(outcome)
})

test("each outcome has an exit code of its own", () => {
  const codes = RunOutcome.options.map((outcome) => exitCode[outcome])
  expect(new Set(codes).size).toBe(RunOutcome.options.length)
})
