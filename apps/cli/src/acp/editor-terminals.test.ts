import type { AgentContext } from "@agentclientprotocol/sdk/unstable"
import { expect, it } from "vitest"
import { createEditorTerminals } from "./editor-terminals.ts"

const ask = { kind: "run", sessionID: "ses_1", partID: "prt_1", command: "make", cwd: "/p" } as const
const place = { sessionId: "ses_1", show: async () => {} }

/** An editor whose commands have put this out. */
function editorWith(output: string) {
  const terminal = {
    id: "1",
    waitForExit: async () => ({ exitCode: 0 }),
    currentOutput: async () => ({ output, truncated: false }),
    [Symbol.asyncDispose]: async () => {},
  }
  return { createTerminal: async () => terminal } as unknown as Pick<AgentContext, "createTerminal">
}

it("an editor that keeps too much output is cut to its end", async () => {
  const answer = await createEditorTerminals(editorWith(`${"x".repeat(1_000_000)}end`)).run("1", ask, place)
  if (answer.kind !== "ended") throw new Error(answer.kind)
  expect([answer.output.length, answer.output.slice(-4), answer.isCut]).toEqual([1_000_000, "xend", true])
})

it("output within the limit is whole", async () => {
  const answer = await createEditorTerminals(editorWith("short")).run("1", ask, place)
  expect(answer).toMatchObject({ kind: "ended", output: "short", isCut: false, exit: 0 })
})
