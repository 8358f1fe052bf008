import type { StepChange } from "@docket/core"
import type { TaskSummary } from "@docket/core/schema"
import { expect, test } from "vitest"
import { comparedFiles, namedPair, rivalOf } from "./compared.ts"

// Only the fields that the code reads.
const task = (number: number, fields: Partial<TaskSummary> = {}) =>
  ({
    id: `tsk_${number}`,
    number,
    parentID: "ses_root",
    sessionID: `ses_${number}`,
    description: `Task ${number}`,
    ...fields,
  }) as TaskSummary

test("a task is compared with another attempt first, then a sibling", () => {
  const tasks = [
    task(1),
    task(2, { description: "Sort" }),
    task(3),
    task(4, { description: "Sort" }),
    task(5, { sessionID: "ses_1" }),
    task(6, { parentID: "ses_3" }),
  ]
  const rival = (number: number) => rivalOf(tasks[number - 1] ?? task(0), tasks)?.number
  expect([1, 2, 3, 5, 6].map(rival)).toEqual([5, 4, 2, 1, 5])
  expect(rivalOf(task(1), [task(1)])).toBeNull()
})

test("tasks that the address lacks or repeats are replaced by others", () => {
  const tasks = [task(1), task(2), task(3)]
  const numbers = (named: { task: string | null; with: string | null }) =>
    namedPair(tasks, named)?.map(({ number }) => number)
  expect(numbers({ task: "tsk_3", with: "tsk_1" })).toEqual([3, 1])
  expect(numbers({ task: "tsk_2", with: "tsk_2" })).toEqual([2, 1])
  expect(numbers({ task: null, with: "tsk_9" })).toEqual([1, 3])
  expect(namedPair([task(1)], { task: null, with: null })).toBeNull()
})

test("files of two tasks are paired by path, each with its lines", () => {
  const change = (taskID: string, path: string, added: number): StepChange => ({
    path,
    kind: "changed",
    lines: { added, removed: 0 },
    lack: null,
    sessionID: "ses_1",
    messageID: "msg_1",
    partID: null,
    agent: "build",
    promptID: null,
    taskID,
  })
  const changes = [change("tsk_1", "b.ts", 1), change("tsk_2", "a.ts", 2), change("tsk_2", "b.ts", 3)]
  const files = comparedFiles([...changes, change("tsk_3", "c.ts", 9)], [task(1), task(2)])
  expect(files.map(({ path, sides }) => [path, ...sides.map((side) => side?.lines?.added ?? null)])).toEqual([
    ["a.ts", null, 2],
    ["b.ts", 1, 3],
  ])
})
