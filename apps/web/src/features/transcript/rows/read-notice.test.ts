import { expect, it } from "vitest"
import { readNotice } from "./read-notice.ts"

it("reads which background tasks ended, how, and with which answer", () => {
  const text = [
    "<system-reminder>",
    "Background tasks have ended. Take the outcome into account; tell the user what matters.",
    "",
    'Task #3 "Look at "names"" (@explore):',
    "status: complete",
    "task_id: ses_1",
    "",
    "<task_result>",
    "Two **files**.",
    "",
    "And a third.",
    "</task_result>",
    "",
    'Task #4 "Port the tests" (@general):',
    "status: error",
    "task_id: ses_2",
    "error_type: cancelled",
    "",
    "The subagent was stopped by the user.",
    "</system-reminder>",
  ].join("\n")
  expect(readNotice(text)).toEqual({
    words: "Background tasks have ended.",
    tasks: [
      {
        number: 3,
        sessionID: "ses_1",
        agent: "explore",
        description: 'Look at "names"',
        state: "completed",
        text: "Two **files**.\n\nAnd a third.",
      },
      {
        number: 4,
        sessionID: "ses_2",
        agent: "general",
        description: "Port the tests",
        state: "cancelled",
        text: "The subagent was stopped by the user.",
      },
    ],
  })
})

it("takes the frame off other notices and leaves plain text alone", () => {
  expect(readNotice("<system-reminder>Docket was restarted.</system-reminder>")).toEqual({
    words: "Docket was restarted.",
    tasks: [],
  })
  expect(readNotice("Go on.").words).toBe("Go on.")
})
