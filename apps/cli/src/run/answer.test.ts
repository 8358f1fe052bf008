import type { DocketEvent } from "@docket/core/schema"
import { expect, test } from "vitest"
import { createAnswer } from "./answer.ts"

function start() {
  const answer = createAnswer("ses_1")
  // Only the fields that are read are set; each cast stands for a full event.
  const handle = (item: object) => answer.handle({ rootID: "ses_1", seq: 1, ...item } as DocketEvent)
  return {
    text: answer.text,
    message: (id: string, more: object) =>
      handle({ type: "message.updated", properties: { info: { id, sessionID: "ses_1", ...more } } }),
    part: (messageID: string, text: string) =>
      handle({
        type: "message.part.updated",
        properties: { part: { id: `prt_${messageID}`, messageID, sessionID: "ses_1", type: "text", text } },
      }),
  }
}

test.each(["before", "after"])("a summary announced %s its text is not the answer", (when) => {
  const run = start()
  const summary = () => run.message("msg_2", { role: "assistant", summary: true })
  run.message("msg_1", { role: "assistant" })
  run.part("msg_1", "Done.")
  if (when === "before") summary()
  run.part("msg_2", "## Objective")
  if (when === "after") summary()
  expect(run.text()).toBe("Done.")
})
