import { RequestError } from "@agentclientprotocol/sdk/unstable"
import { expect, test } from "vitest"
import { withReason } from "./failure-reason.ts"

const internal = new RequestError(-32603, "Internal error")

test.each([
  [
    "says what it wrote last",
    internal,
    { last: ["no model"], isSandboxed: true },
    /^Internal error\. It wrote last:\nno model$/,
  ],
  ["says how its sandbox gives way", internal, { last: ["EROFS: mkdir"], isSandboxed: true }, /EROFS.*\n.*"writable"/],
  [
    "says nothing of a sandbox that it has not",
    internal,
    { last: ["EROFS: mkdir"], isSandboxed: false },
    /EROFS: mkdir$/,
  ],
  [
    "says the reason beside it alone",
    new RequestError(-32603, "Internal error", "No credit."),
    { last: ["noise"], isSandboxed: true },
    /^Internal error: No credit\.$/,
  ],
])("a failure %s", (_, error, known, text) => {
  expect(withReason(error, known)).toMatchObject({ message: expect.stringMatching(text) })
})
