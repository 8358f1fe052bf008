import { noTrace, type Trace } from "@docket/core/trace"
import { expect, test } from "vitest"
import { createLateTrace } from "./late-trace.ts"

test("readers that came before the trace is open are counted", () => {
  const late = createLateTrace()
  const changes: number[] = []
  const real: Trace = { ...noTrace, readers: (change) => void changes.push(change) }
  late.trace.readers(1)
  late.trace.readers(1)
  late.trace.readers(-1)
  late.open(real)
  late.trace.readers(1)
  expect(changes).toEqual([1, 1])
})

test("turns wait until the trace is open, or will never be", async () => {
  const [opening, failing] = [createLateTrace(), createLateTrace()]
  opening.open({ ...noTrace, headers: () => ({ traceparent: "00-a-b-01" }) })
  failing.giveUp()
  await Promise.all([opening.trace.opened, failing.trace.opened])
  expect(opening.trace.headers()).toEqual({ traceparent: "00-a-b-01" })
  expect(failing.trace.headers()).toEqual({})
})
