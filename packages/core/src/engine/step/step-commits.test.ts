import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { LanguageModelV4StreamPart } from "@ai-sdk/provider"
import { expect, it } from "vitest"
import { createInMemoryStore, type Mutation, type Store } from "../../ground/store/index.ts"
import { answer, lastUserText, type Script, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

/** A store that records the mutations of each commit. */
function recordingStore() {
  const real = createInMemoryStore()
  const commits: Mutation[][] = []
  const commit: Store["write"]["commit"] = (batches) => {
    commits.push(batches.flatMap(({ mutations }) => mutations))
    return real.write.commit(batches)
  }
  return { store: { ...real, write: { ...real.write, commit } }, commits }
}

/** Sends a whole answer at once, so that the writes of a step do not depend on timing. */
function atOnce(parts: LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

/** Reads the notes as often as the prompt says. */
const script: Script = (options) => {
  const { length } = toolResults(options)
  const isOver = length >= Number(lastUserText(options))
  return atOnce(
    isOver ? answer("Read.") : answer("", { tool: "read", input: { filePath: "notes.md", offset: length + 1 } }),
  )
}

function statesOfCalls(mutations: Mutation[]): string[] {
  return mutations.flatMap((mutation) =>
    mutation.kind === "part" && mutation.value.type === "tool" ? [mutation.value.state.status] : [],
  )
}

it("a step makes two commits: calls before they run, then results", async () => {
  const { store, commits } = recordingStore()
  await using host = await scriptedRuntime(script, { store, config: { permission: "allow" }, titles: false })
  await writeFile(join(host.directory, "notes.md"), "One.\nTwo.\nThree.\nFour.\nFive.\nSix.\n")
  const commitsOf = async (steps: number) => {
    commits.length = 0
    expect((await host.prompt(String(steps))).status).toBe("completed")
    return commits.slice()
  }
  // Not counted: a session gets its title during its first turn.
  await commitsOf(0)
  const one = await commitsOf(1)
  expect((await commitsOf(6)).length - one.length).toBe(2 * 5)

  const withCalls = one.filter((mutations) => statesOfCalls(mutations).length > 0)
  expect(withCalls.map(statesOfCalls)).toEqual([["running"], ["completed"]])
  const started = withCalls[1]?.some(
    ({ kind, ...rest }) => kind === "part" && JSON.stringify(rest).includes("step-start"),
  )
  expect(started).toBe(true)
})
