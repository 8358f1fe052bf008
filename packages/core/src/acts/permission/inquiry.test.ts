import { expect, test } from "vitest"
import type { PermissionRuleset, Question } from "../../ground/schema/index.ts"
import { PermissionDeniedError, PermissionRejectedError } from "./error.ts"
import { by, twoBrokers } from "./test/two-brokers.ts"

const choice: Question = {
  header: "Way",
  question: "Which way?",
  options: [
    { label: "left", description: "" },
    { label: "right", description: "" },
  ],
  multiple: false,
}
const several = { ...choice, header: "Ways", multiple: true }
const left = { choices: ["left"], own: null }
const allowed: PermissionRuleset = [{ permission: "*", pattern: "*", action: "allow" }]

test("a question always waits; its answer is stored once", async () => {
  const { one, other, inquire, ask, pending, store } = await twoBrokers()
  const asked = inquire([choice], allowed)
  const [request] = await pending(1)
  const id = request?.id ?? ""
  const always = ask("echo one")
  const leave = (await pending(2)).find(({ permission }) => permission === "bash")
  await one.reply(leave?.id ?? "", { reply: "always", remember: { patterns: ["*"] }, by })
  await always
  expect(await pending(1)).toMatchObject([{ id, permission: "question", metadata: { questions: [choice] } }])
  await one.reply(id, { reply: "answer", answers: [left], by })
  expect(await asked).toMatchObject({ status: "answered", answers: [left], by })
  const late = [{ choices: [], own: "up" }]
  for (const broker of [one, other]) {
    await expect(
      broker.reply(id, { reply: "answer", answers: late, by: { ...by, person: "ada" } }),
    ).rejects.toMatchObject({
      code: "permission_request_answered",
      message: "This was answered by local before your answer came. Your answer changed nothing.",
    })
  }
  expect(await store.permission.get(id)).toMatchObject({ status: "answered", answers: [left] })
})

test("an answer that another runtime took reaches the call that waits here", async () => {
  const { one, other, inquire, pending } = await twoBrokers()
  const asked = inquire([several])
  const [request] = await pending(1)
  const answers = [{ choices: ["left", "right", "left"], own: " and back " }]
  await one.notified(await other.reply(request?.id ?? "", { reply: "answer", answers, by }))
  expect((await asked).answers).toEqual([{ choices: ["left", "right"], own: "and back" }])
})

test("a dismissal ends one question; a rejection ends the session's questions", async () => {
  const { one, inquire, ask, pending } = await twoBrokers()
  const first = inquire([choice])
  const [question] = await pending(1)
  const leave = ask("echo one")
  await pending(2)
  await one.reply(question?.id ?? "", { reply: "reject", message: "not now", by })
  expect(await first).toMatchObject({ status: "dismissed", message: "not now", by })
  const second = inquire([choice])
  second.catch(() => {})
  await pending(2)
  const request = (await pending(2)).find(({ permission }) => permission === "bash")
  await one.reply(request?.id ?? "", { reply: "reject", by })
  await expect(leave).rejects.toThrow(PermissionRejectedError)
  await expect(second).rejects.toThrow(PermissionRejectedError)
  await pending(0)
})

test.each([
  ["no answer to some question", [left]],
  ["an option that is none", [{ choices: ["up"], own: null }, left]],
  ["two answers where one is wanted", [{ choices: ["left", "right"], own: null }, left]],
  ["an option and own words where one is wanted", [{ choices: ["left"], own: "up" }, left]],
  ["words without end", [{ choices: [], own: "u".repeat(10_001) }, left]],
  ["nothing at all", Array.from({ length: 2 }, () => ({ choices: [], own: "  " }))],
])("an answer with %s is refused, and the question still waits", async (_, answers) => {
  const { one, other, inquire, pending } = await twoBrokers()
  void inquire([choice, several])
  const [request] = await pending(1)
  for (const broker of [one, other]) {
    await expect(broker.reply(request?.id ?? "", { reply: "answer", answers, by })).rejects.toMatchObject({
      code: "invalid_input",
    })
  }
  await pending(1)
})

test("a permission accepts no answer, and a question no permission", async () => {
  const { one, inquire, ask, pending } = await twoBrokers()
  void inquire([choice])
  const [question] = await pending(1)
  await expect(one.reply(question?.id ?? "", { reply: "once", by })).rejects.toThrow("Answer it, or dismiss it")
  void ask("echo one")
  const leave = (await pending(2)).find(({ permission }) => permission === "bash")
  await expect(one.reply(leave?.id ?? "", { reply: "answer", answers: [left], by })).rejects.toThrow("Allow it once")
})

test("a question of an agent that may not ask is denied", async () => {
  const { inquire, pending } = await twoBrokers()
  const denied: PermissionRuleset = [{ permission: "question", pattern: "*", action: "deny" }]
  await expect(inquire([choice], denied)).rejects.toThrow(PermissionDeniedError)
  await pending(0)
})
