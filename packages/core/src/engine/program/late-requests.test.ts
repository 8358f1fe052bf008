import { readdir } from "node:fs/promises"
import { expect, test } from "vitest"
import { errorText } from "../../ground/error/error-text.ts"
import { projectFixture } from "../../test/project-fixture.ts"
import { answer, type ScriptedRuntime, scriptedRuntime } from "../../test/scripted-runtime.ts"
import type { AgentPrograms, ProgramCommand, ProgramDesk } from "./agent-programs.ts"

const facts = { name: "late", version: null, conversation: "one", outside: null, begun: "new" } as const

/** A session whose agent does something while it answers, and more once it has answered. */
async function answered(acts: {
  answering(desk: ProgramDesk, until: ScriptedRuntime["until"]): Promise<void>
  late(desk: ProgramDesk): Promise<void>
}) {
  const { directory, env } = await projectFixture("late", {})
  const agentPrograms: AgentPrograms = {
    open: async (_wanted, desk) => ({
      ...{ facts, takesPictures: false },
      async prompt() {
        await acts.answering(desk, host.until)
        return { why: "done", tokens: null }
      },
      end: () => acts.late(desk),
    }),
  }
  const agent = { helper: { description: "Is late.", mode: "all", acp: { command: "helper" } } }
  const config = { permission: "allow", agent }
  await using host = await scriptedRuntime(() => answer("Done."), { directory, env, agentPrograms, config })
  const { id } = host.session
  const parts = [{ type: "text" as const, text: "Go on." }]
  const turn = await host.runtime.prompt.submit(id, { parts, agent: "helper" })
  await host.runtime.prompt.wait(turn.id)
  const { items } = await host.messages()
  const { info, parts: said } = items.at(-1) ?? {}
  return { info, parts: said ?? [], todos: await host.store.todo.list(id), directory }
}

test("what a program asks after its answer is refused", async () => {
  const refused: string[] = []
  const { info, parts, todos, directory } = await answered({
    async answering(desk) {
      desk.say("text", "Done.", null)
    },
    async late(desk) {
      const refusing = async (work: () => unknown) => {
        await Promise.try(work).catch((error: unknown) => refused.push(errorText(error)))
      }
      const file = "late.txt"
      await refusing(() => desk.run({ script: "touch run.txt", directory: null }).ended)
      await refusing(() => desk.write({ path: file, content: "late" }))
      await refusing(() => desk.read({ path: file, line: null, limit: null }))
      desk.subagent({
        ...{ title: "Late", prompt: "Late" },
        open: () => {
          throw new Error("It was begun.")
        },
        refuse: () => void refused.push("subagent"),
      })
      desk.say("text", "Late.", null)
      desk.plan([{ content: "Late", status: "pending", priority: "low" }])
      desk.used({ spent: 5, context: null })
    },
  })
  expect(refused).toEqual([...Array(3).fill("The answer has ended."), "subagent"])
  expect((await readdir(directory)).filter((name) => name.endsWith(".txt"))).toEqual([])
  expect(info).toMatchObject({ finish: "stop", cost: 0, time: { completed: expect.any(Number) } })
  expect(parts.flatMap((part) => (part.type === "text" ? [part.text] : []))).toEqual(["Done."])
  expect(parts.filter(({ type }) => type === "tool")).toEqual([])
  expect(todos).toEqual([])
})

test("commands end with the answer, and no others begin", async () => {
  const begun: ProgramCommand[] = []
  const refused: string[] = []
  const { parts } = await answered({
    async answering(desk, until) {
      const begin = () => begun.push(desk.run({ script: "echo begun; sleep 600", directory: null }))
      begin()
      void begun[0]?.ended.then(begin).catch((error: unknown) => refused.push(errorText(error)))
      await until(() => begun[0]?.output().text === "begun\n")
    },
    late: async () => {},
  })
  expect(begun.map((command) => command.end())).toEqual([{ exit: null, signal: "SIGTERM" }])
  expect(refused).toEqual(["The answer has ended."])
  expect(parts.flatMap((part) => (part.type === "tool" ? [part.state.status] : []))).toEqual(["error"])
})
