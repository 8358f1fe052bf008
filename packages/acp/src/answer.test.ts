import { expect, test } from "vitest"
import { runAgent } from "./test/run-agent.ts"

test("an agent's answer is the child's transcript and the result", async () => {
  const { delegate, messages, results, noted, directory, child } = await runAgent()
  expect(
    await delegate([{ think: "First " }, { think: "I look." }, { say: "It is " }, { say: "done." }]),
  ).toMatchObject({
    status: "completed",
  })
  expect(results).toEqual([expect.stringContaining("It is done.")])
  const [prompt, answer] = await messages()
  expect(prompt?.info.role).toBe("user")
  expect(answer?.parts).toMatchObject([
    { type: "step-start" },
    { type: "reasoning", text: "First I look." },
    { type: "text", text: "It is done." },
    { type: "step-finish" },
  ])
  expect(answer?.info).toMatchObject({
    finish: "stop",
    error: null,
    agent: "helper",
    model: { providerID: "acp", modelID: "scripted-agent.mjs" },
    program: { name: "scripted-agent.mjs", version: "1.2.3", begun: "new" },
  })
  expect(await noted()).toContainEqual(expect.objectContaining({ new: directory }))
  expect(await child()).toMatchObject({ agent: "helper", status: { type: "idle" } })
})
