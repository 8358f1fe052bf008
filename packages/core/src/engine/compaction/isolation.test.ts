import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { expect, test } from "vitest"
import type { MessageWithParts } from "../../ground/schema/index.ts"
import {
  answer,
  lastUserText,
  type ScriptedRuntime,
  scriptedRuntime,
  toolResults,
  usage,
} from "../../test/scripted-runtime.ts"

/** An answer that reports more tokens than fit in the context. */
function tooLong(parts: LanguageModelV4StreamPart[]): LanguageModelV4StreamPart[] {
  const inputTokens = { ...usage.inputTokens, total: 200_000, noCache: 200_000 }
  return parts.map((part) => (part.type === "finish" ? { ...part, usage: { ...usage, inputTokens } } : part))
}

const look = { tool: "glob", input: { pattern: "*" } }
const delegate = { tool: "task", input: { description: "dig", prompt: "dig", subagent_type: "explore" } }

/** A parent session with one child; the context of the one named by `who` overflows after its first call. */
async function run(who: "parent" | "child"): Promise<{ host: ScriptedRuntime; prompts: string[] }> {
  const prompts: string[] = []
  const host = await scriptedRuntime((options) => {
    const told = lastUserText(options)
    prompts.push(JSON.stringify(options.prompt))
    if (told.startsWith("Write the summary")) return answer(`## Objective\nThe ${who} goes on.`)
    if (told.startsWith("Continue")) return answer(`${who} went on.`)
    const results = toolResults(options)
    const isChild = told === "dig"
    if (results.length === 0) return isChild ? answer("child looks", look) : answer("parent asks", delegate)
    const overflows = isChild === (who === "child") && results.length === 1
    if (overflows) return tooLong(answer("long", look))
    return answer(isChild ? "child found it." : "parent is done.")
  })
  expect(await host.prompt("Go")).toMatchObject({ status: "completed" })
  expect(host.errors).toEqual([])
  return { host, prompts }
}

const isCompacted = (items: MessageWithParts[]) =>
  items.some(({ parts }) => parts.some((part) => part.type === "compaction"))

async function transcripts(host: ScriptedRuntime) {
  const [child] = await host.runtime.session.children(host.session.id)
  return {
    parent: (await host.messages()).items,
    child: (await host.messages(child?.id)).items,
  }
}

test("a summary of the parent leaves its child's transcript alone", async () => {
  const { host, prompts } = await run("parent")
  await using _ = host
  const { parent, child } = await transcripts(host)
  expect(isCompacted(parent)).toBe(true)
  expect(isCompacted(child)).toBe(false)
  expect(child.map(({ info }) => info.role)).toEqual(["user", "assistant", "assistant"])
  expect(prompts.filter((prompt) => prompt.includes("The parent goes on"))).toHaveLength(1)
})

test("a summary of a child leaves its parent's transcript alone", async () => {
  const { host, prompts } = await run("child")
  await using _ = host
  const { parent, child } = await transcripts(host)
  expect(isCompacted(child)).toBe(true)
  expect(isCompacted(parent)).toBe(false)
  expect(parent.map(({ info }) => info.role)).toEqual(["user", "assistant", "assistant"])
  // The parent's last prompt still has its whole conversation, and of the child only its answer.
  const last = prompts.at(-1) ?? ""
  expect(last).toContain("parent asks")
  expect(last).toContain("child went on.")
  expect(last).not.toContain("The child goes on")
})
