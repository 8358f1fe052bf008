import type { LanguageModelV4CallOptions } from "@ai-sdk/provider"
import { expect, test } from "vitest"
import { answer, lastUserText, type Script, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

const delegate = (prompt: string) => ({
  tool: "task",
  input: { description: prompt, prompt, subagent_type: "general" },
})

/** Children may delegate too. */
const config = { agent: { general: { permission: { task: "allow" } } } }

/** The request that a child's prompt names, by the child's own prompt. */
function named(options: LanguageModelV4CallOptions): string | undefined {
  const said = options.prompt.flatMap((message) => (message.role === "user" ? message.content : []))
  const texts = said.flatMap((part) => (part.type === "text" ? [part.text] : []))
  return texts.map((text) => /^Original request: (.*)$/m.exec(text)?.[1]).find((request) => request !== undefined)
}

test("a child and its own children are told of the prompt that is worked on, not of the session's first", async () => {
  const told: Record<string, string | undefined> = {}
  const script: Script = (options) => {
    const text = lastUserText(options)
    if (text === "First matter") return answer("Done with that.")
    if (toolResults(options).length > 0) return answer("end")
    if (text !== "Second matter") told[text] = named(options)
    if (text === "grandchild") return answer("found")
    return answer("", delegate(text === "Second matter" ? "child" : "grandchild"))
  }
  await using host = await scriptedRuntime(script, { config })
  await host.prompt("First matter")
  await host.prompt("Second matter")
  expect(told).toEqual({ child: "Second matter", grandchild: "Second matter" })
})

test("a background task is told of the prompt that started it, also while the next one is worked on", async () => {
  const told: Record<string, string | undefined> = {}
  const next = Promise.withResolvers<void>()
  const script: Script = async (options) => {
    const text = lastUserText(options)
    if (text === "Next matter") {
      next.resolve()
      return answer("Done with that.")
    }
    if (text === "child" || text === "grandchild") told[text] = named(options)
    if (text === "grandchild") return answer("found")
    if (toolResults(options).length > 0) return answer("end")
    if (text === "Long matter") {
      return answer("", { tool: "async_task", input: { agent: "general", prompt: "child", description: "child" } })
    }
    if (text !== "child") return answer("Thanks.")
    await next.promise
    return answer("", delegate("grandchild"))
  }
  await using host = await scriptedRuntime(script, { config })
  await host.prompt("Long matter")
  await host.prompt("Next matter")
  await host.until(
    (event) =>
      event.type === "task.updated" &&
      event.properties.task.description === "grandchild" &&
      event.properties.task.state === "completed",
  )
  expect(told).toEqual({ child: "Long matter", grandchild: "Long matter" })
})

test("what a person hands to a subagent is the request, and what Docket writes is none", async () => {
  const told: (string | undefined)[] = []
  await using host = await scriptedRuntime((options) => {
    if (lastUserText(options) === "look into the queue") told.push(named(options))
    return answer("ok")
  })
  await host.prompt("First matter")
  await host.prompt("@general look into the queue")
  expect(told).toEqual(["look into the queue"])
})
