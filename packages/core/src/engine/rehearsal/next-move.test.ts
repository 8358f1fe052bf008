import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider"
import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Task } from "../../ground/schema/index.ts"
import { commentsOpening } from "../../records/review/review-messages.ts"
import { planReminder as tellPlan, titlePrompt } from "../../setup/agent/prompts.ts"
import { endedNotice } from "../delegation/task-answers.ts"
import { nextMove, wantedChange } from "./next-move.ts"
import { keywords, type Move, readSituation } from "./situation.ts"

const planReminder = tellPlan({ file: ".docket/plans/a.md", isWritten: false, tools: new Set() })

const toolsNamed = (...names: string[]): LanguageModelV4FunctionTool[] =>
  names.map((name) => ({ type: "function", name, inputSchema: { type: "object" } }))
const explorer = ["list", "glob", "grep", "read"]
const builder = [...explorer, "write", "edit", "bash", "todowrite", "todoread", "task"]
const system = { role: "system" as const, content: "x\n<env>\n  Working directory: /p\n</env>" }
type Output = LanguageModelV4ToolResultPart["output"]
type Answer = (tool: string, input: Record<string, unknown>) => Output

const text = (value: string): Output => ({ type: "text", value })
const failure = (value: string): Output => ({ type: "error-text", value })

/** Acts as the loop: answers every call, asks again until an answer has no calls; each request ends with `extra`. */
function simulate(request: string, tools: string[], answer: Answer, extra = ""): Move[] {
  const prompt: LanguageModelV4Prompt = [system, { role: "user", content: [{ type: "text", text: request }] }]
  const moves: Move[] = []
  while (moves.length < 20) {
    const reminder = { role: "user" as const, content: [{ type: "text" as const, text: extra }] }
    const move = nextMove({ prompt: extra === "" ? prompt : [...prompt, reminder], tools: toolsNamed(...tools) })
    moves.push(move)
    if (move.calls.length === 0) break
    const calls = move.calls.map((call, index) => ({ ...call, id: `c${moves.length}-${index}` }))
    prompt.push({
      role: "assistant",
      content: [
        { type: "text", text: move.text },
        ...calls.map(({ tool, input, id }) => ({ type: "tool-call" as const, toolCallId: id, toolName: tool, input })),
      ],
    })
    prompt.push({
      role: "tool",
      content: calls.map(({ tool, input, id }) => ({
        type: "tool-result",
        toolCallId: id,
        toolName: tool,
        output: answer(tool, input),
      })),
    })
  }
  return moves
}

const project: Answer = (tool, input) => {
  switch (tool) {
    case "list":
      return text("./\n  src/\n    queue.ts\n  README.md")
    case "glob":
      return text("README.md\nsrc/queue.ts")
    case "grep":
      return text("src/queue.ts\n  42: export function retryQueue() {\n  50: retryQueue()")
    case "read":
      return text(`1: # Project\n42: export function retryQueue() {\n(End of file, 60 lines.)`)
    case "task":
      return text(
        "Found 1 place.\n\n- `src/queue.ts:42` — `export function retryQueue() {`\n\n<task_metadata>\nsession_id: ses_1\n</task_metadata>",
      )
    default:
      return text(JSON.stringify(input))
  }
}
const toolsOf = (moves: Move[]) => moves.map(({ calls }) => calls.map(({ tool }) => tool).join(" "))

describe("the rehearsal model as build", () => {
  it("plans, delegates, reads, completes its todos and reports with references", () => {
    const moves = simulate("How does `retryQueue` work?", builder, project)
    expect(toolsOf(moves)).toEqual(["todowrite", "task task", "todowrite grep read", "todowrite", ""])
    expect(moves[0]?.text).toContain("no language model is connected")
    const prompts = moves[1]?.calls.map(({ input }) => input.prompt)
    expect(new Set(prompts).size).toBe(2)
    const report = moves.at(-1)?.text ?? ""
    expect(report).toContain("`src/queue.ts:42`")
    expect(report).toContain("**Connect a model**")
    const last = moves[3]?.calls[0]?.input.todos as { status: string }[]
    expect(last.every(({ status }) => status === "completed")).toBe(true)
  })

  it("keeps one item in progress and the same items in each list", () => {
    const lists = simulate("write hi to a.txt", builder, project)
      .flatMap(({ calls }) => calls)
      .filter(({ tool }) => tool === "todowrite")
      .map(({ input }) => input.todos as { content: string; status: string }[])
    expect(new Set(lists.map((list) => list.map(({ content }) => content).join())).size).toBe(1)
    for (const list of lists.slice(0, -1)) expect(list.filter(({ status }) => status === "in_progress")).toHaveLength(1)
  })

  it("keeps open items that others added to the list", () => {
    const theirs = { id: "tod_1", number: 9, content: "call Ada", status: "pending", priority: "medium" }
    const listed: Answer = (tool, input) => {
      if (tool !== "todowrite") return project(tool, input)
      const own = (input.todos as { content: string }[]).filter(({ content }) => content !== theirs.content)
      const list = own.map((item, index) => ({ id: `own_${index}`, ...item }))
      const done = { ...theirs, id: "tod_2", content: "old", status: "completed" }
      return text(`${JSON.stringify([...list, theirs, done], null, 2)}\n\nOthers changed the list.`)
    }
    const moves = simulate("write hi to a.txt", builder, listed)
    const [first, ...later] = moves.flatMap(({ calls }) => calls).filter(({ tool }) => tool === "todowrite")
    expect(JSON.stringify(first)).not.toContain("call Ada")
    expect(later.length).toBeGreaterThan(1)
    const { number: _, ...kept } = theirs
    for (const { input } of later) {
      const todos = input.todos as { content: string }[]
      expect(todos.at(-1)).toEqual(kept)
      expect(todos.map(({ content }) => content)).not.toContain("old")
    }
    expect(moves.at(-1)?.calls).toEqual([])
  })

  it("writes the file that the request spells out", () => {
    const moves = simulate('Please write "hello world" to notes/hello.txt', builder, project)
    const write = moves.flatMap(({ calls }) => calls).find(({ tool }) => tool === "write")
    expect(write?.input).toEqual({ filePath: "notes/hello.txt", content: "hello world\n" })
    expect(moves.at(-1)?.text).toContain("`notes/hello.txt:1` was written")
  })

  it("appends by reading first and keeps what is there", () => {
    const answer: Answer = (tool, input) =>
      tool === "read" && input.filePath === "log.md"
        ? text("1: one\n2: \n3: two\n(End of file, 3 lines.)")
        : project(tool, input)
    const writes = simulate("append `three` to log.md", builder, answer).flatMap(({ calls }) => calls)
    expect(writes.find(({ tool }) => tool === "write")?.input.content).toBe("one\n\ntwo\nthree\n")
  })

  it("does not append to a file it could not read completely", () => {
    const answer: Answer = (tool, input) =>
      tool === "read" ? text("1: a\n(Lines 1 to 1 of 9. Go on with offset 2.)") : project(tool, input)
    const moves = simulate("append `three` to log.md", builder, answer)
    expect(moves.flatMap(({ calls }) => calls).some(({ tool }) => tool === "write")).toBe(false)
  })

  it("delegates to the agent that the user mentioned", () => {
    const mention =
      'look at @reviewer\nThe user mentioned the agent reviewer: call the task tool with subagent_type "reviewer" for what they ask of it.'
    const tasks = simulate(mention, builder, project)[1]?.calls.map(({ input }) => input.subagent_type)
    expect(tasks).toEqual(["explore", "explore", "reviewer"])
  })

  it("answers a greeting without work", () => {
    expect(toolsOf(simulate("hello!", builder, project))).toEqual([""])
  })

  it("reports a rejection and does not repeat the call", () => {
    const moves = simulate("create a.txt with hi", builder, (tool, input) =>
      tool === "write" ? failure("The user rejected this tool call.") : project(tool, input),
    )
    expect(moves.flatMap(({ calls }) => calls).filter(({ tool }) => tool === "write")).toHaveLength(1)
    expect(moves.at(-1)?.text).toContain("`write`: The user rejected this tool call.")
  })
})

it("as plan the rehearsal model edits nothing", () => {
  const moves = simulate("create a.txt with hi", builder, project, planReminder)
  expect(moves.flatMap(({ calls }) => calls).some(({ tool }) => tool === "write" || tool === "edit")).toBe(false)
  expect(moves.at(-1)?.text).toContain("**Plan**")
})

it("the rehearsal model runs the request's command and reports its exit code", () => {
  const answer: Answer = (tool, input) => (tool === "bash" ? text("1 failed\n\n[exit code 1]") : project(tool, input))
  const moves = simulate("Run the tests with `npm test`. If something fails, say what.", builder, answer)
  expect(moves.flatMap(({ calls }) => calls).filter(({ tool }) => tool === "bash")).toEqual([
    { tool: "bash", input: { command: "npm test", description: "As the request says" } },
  ])
  expect(moves.at(-1)?.text).toContain("- `npm test` ended with 1")
})

it("an explorer does not run the command of the request it serves", () => {
  const brief = "Mentions: where does the project define or use `npm test`?\nIt is for this request: Run `npm test`."
  const moves = simulate(brief, [...explorer, "bash"], project)
  expect(toolsOf(moves).join(" ")).not.toContain("bash")
})

it("as explore the rehearsal model surveys, reads, and reports places", () => {
  const moves = simulate("Mentions: where does the project define or use `retryQueue`?", explorer, project)
  expect(toolsOf(moves)).toEqual(["glob grep", "read read", ""])
  expect(moves.at(-1)?.text).toMatch(/^Found \d+ places for `retryQueue`/)
})

it("an explorer finds a file that the request names and reads it", () => {
  const asked = "Mentions: where does the project define or use `src/names.js`, `test`?"
  const moves = simulate(asked, explorer, (tool, input) =>
    tool === "glob"
      ? text(input.pattern === "**/src/names.js" ? "src/names.js" : "README.md")
      : tool === "grep"
        ? text("test/cart.test.js\n  1: test")
        : text("1: export function parseName(text) {\n(End of file, 1 lines.)"),
  )
  const read = moves.flatMap(({ calls }) => calls).find(({ tool }) => tool === "read")
  expect(read?.input).toMatchObject({ filePath: "src/names.js" })
  expect(moves.at(-1)?.text).toContain("src/names.js:1")
})

it("the rehearsal model searches a comment's words, not its opening", () => {
  const sent = `${commentsOpening}\n\n1. On all of it:\n   Also mention \`retryQueue\`.`
  expect(readSituation({ prompt: [{ role: "user", content: [{ type: "text", text: sent }] }] }).words).toEqual([
    "retryQueue",
  ])
})

it("with tools off the rehearsal model reports at once", () => {
  expect(
    nextMove({ prompt: [system, { role: "user", content: [{ type: "text", text: "How?" }] }], tools: [] }).text,
  ).toContain("rehearsal model")
})

it.each([
  ["please fix the login test that times out on CI", "Fix the login test that times out on CI"],
  ["Run the tests with npm test. If something fails, say what", "Run the tests with npm test"],
  ["Write tests for src/names.js, in the way the tests are written", "Write tests for src/names.js, in the way the…"],
  ["", "Rehearsal"],
])("as title agent the rehearsal model names %j", (request, title) => {
  const prompt: LanguageModelV4Prompt = [
    { role: "system", content: titlePrompt },
    { role: "user", content: [{ type: "text", text: request }] },
  ]
  expect(nextMove({ prompt, tools: [] })).toEqual({ reasoning: "", text: title, calls: [] })
})

it.each([
  ["write hello to notes.txt", { kind: "create", file: "notes.txt", content: "hello" }],
  ["Write the text 'a b' into docs/x.md please", { kind: "create", file: "docs/x.md", content: "a b" }],
  ["create a new file called HELLO.md", { kind: "create", file: "HELLO.md", content: null }],
  ["create src/a.ts with export const a = 1", { kind: "create", file: "src/a.ts", content: "export const a = 1" }],
  ["append the line `x` to log.txt", { kind: "append", file: "log.txt", content: "x" }],
  ["replace `foo` with `bar` in src/a.ts", { kind: "replace", file: "src/a.ts", oldText: "foo", newText: "bar" }],
  ["Run the tests with `npm test`. If something fails, say what", { kind: "run", command: "npm test" }],
  ["Where does it run? `retryQueue` says nothing.", null],
  ["How does src/a.ts write its output?", null],
  ["explain the README.md", null],
])("the change that a request asks for is read from %j", (request, change) =>
  expect(wantedChange(request)).toEqual(change),
)

it("keywords are what a request is about", () => {
  expect(keywords("How does `retryQueue` in src/queue.ts handle failures, please?")).toEqual([
    "retryQueue",
    "src/queue.ts",
    "handle",
    "failure",
  ])
})

it("keywords keep the slash that a path begins with", () => {
  expect(keywords("write hello to /tmp/out.txt")).toEqual(["/tmp/out.txt"])
  expect(keywords("look at https://docs.example.com/start")[0]).toBe("docs.example.com/start")
})

it("common words are no keywords", () => {
  const words =
    "Explain this project to someone who is new to it: what it does, where its code begins, what matters most."
  expect(keywords(words)).toEqual([])
})

describe("the rehearsal model, whatever its tools return", () => {
  const output = fc.oneof(
    fc.string({ maxLength: 300 }).map(text),
    fc
      .array(fc.constantFrom("a/b.ts", "  12: x", "b.ts:4: y", "(End of file, 3 lines.)", "1: z", ""), { maxLength: 8 })
      .map((lines) => text(lines.join("\n"))),
    fc.constantFrom(failure("The user rejected this tool call."), failure("There is no file x."), text("")),
    fc.constant<Output>({ type: "execution-denied" }),
  )
  const request = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 200 }),
    fc.constantFrom(
      "write x to y.md",
      "append z to a/b.ts",
      "replace 'a' with 'b' in b.ts",
      "create b.ts",
      "fix the queue",
      "hi",
    ),
  )

  it("a turn ends within 12 answers and never repeats itself", () => {
    fc.assert(
      fc.property(
        request,
        fc.subarray([...builder]),
        fc.infiniteStream(output),
        fc.boolean(),
        (asked, tools, outputs, plan) => {
          const moves = simulate(asked, tools, () => outputs.next().value ?? text(""), plan ? planReminder : "")
          expect(moves.length).toBeLessThanOrEqual(12)
          expect(moves.at(-1)?.calls).toEqual([])
          expect(moves.at(-1)?.text).not.toBe("")
          for (const { calls } of moves) for (const { tool } of calls) expect(tools).toContain(tool)
          const calls = moves.flatMap((move) => move.calls.map((call) => JSON.stringify(call)))
          expect(new Set(calls).size).toBe(calls.length)
        },
      ),
      drawn(500),
    )
  })
})

describe("text that is no request", () => {
  const said = (role: "user" | "assistant", value: string) => ({
    role,
    content: [{ type: "text" as const, text: value }],
  })
  // Only the fields of a task that a notice uses.
  const task = {
    id: "tsk",
    number: 3,
    agent: "explore",
    description: "Map it",
    sessionID: "ses_1",
    error: null,
  } as Task
  const { text: ended } = endedNotice([
    { ...task, state: "completed", result: "Task of two lines:\n- `a.ts:1`" },
    {
      ...task,
      number: 4,
      state: "failed",
      result: null,
      error: { type: "APIError", message: "Overloaded." },
    },
  ])

  it("a notice of ended tasks is passed on without new work", () => {
    const prompt = [system, said("user", "Where is `x`?"), said("assistant", "There."), said("user", ended)]
    const move = nextMove({ prompt, tools: toolsNamed(...builder) })
    expect(move.calls).toEqual([])
    expect(move.text).toBe(
      "**Task #3 “Map it”** (@explore) is complete.\n\nTask of two lines:\n- `a.ts:1`\n\n**Task #4 “Map it”** (@explore) did not complete.\n\nOverloaded.",
    )
    const asked = nextMove({ prompt: [...prompt, said("user", "Where is `y`?")], tools: toolsNamed(...builder) })
    expect(asked.calls.map(({ tool }) => tool)).toEqual(["todowrite"])
  })

  it("commands and their results are no part of the request", () => {
    const results = "[/todo add milk]\nOK: added #1 — milk\n[END TODO]\n[END TOOL RESULTS]"
    const mixed = readSituation({ prompt: [system, said("user", `/todo add milk\n\nWhere is \`x\`?\n${results}`)] })
    expect(mixed.request).toBe("Where is `x`?")
    const only = readSituation({
      prompt: [system, said("user", "Where is `x`?"), said("assistant", "There."), said("user", "/todo list")],
    })
    expect(only.request).toBe("Where is `x`?")
  })
})

it.each(["x", "word ", "a_", "add ", "write ", "<system-reminder>", "[DELEGATION CONTEXT]\n", "\n", "`", "a."])(
  "answers a prompt of 1 MiB of %j in time",
  (piece) => {
    // A regular expression that takes quadratic time would exceed the time limit of the test.
    const [move] = simulate(piece.repeat(2 ** 20 / piece.length), builder, () => text("nothing"))
    expect(move?.calls.length).toBeGreaterThanOrEqual(0)
  },
)
