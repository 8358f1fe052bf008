import { expect, test } from "vitest"
import type { PermissionRequest } from "../../ground/schema/index.ts"
import { createQuestionTool } from "./question.ts"
import { runTool } from "./run-tool.ts"
import { createToolFixture } from "./test/tool-fixture.ts"
import type { ToolContext } from "./tool.ts"

const by = { person: "ada", workspace: "local" }
const database = {
  header: "Database",
  question: "Where should the rows go?",
  options: [
    { label: "SQLite", description: "One file" },
    { label: "PostgreSQL", description: "A server" },
  ],
}

/** Runs the tool with this input; the user answers as `answered` says. */
async function run(input: unknown, answered: Partial<PermissionRequest> = { answers: [] }) {
  const { context, progress } = createToolFixture()
  const asked: Parameters<ToolContext["inquire"]>[0][] = []
  const inquire: ToolContext["inquire"] = async (request) => {
    asked.push(request)
    // Only the fields that the tool reads.
    return { message: null, by, ...answered } as PermissionRequest
  }
  const result = await runTool(createQuestionTool(), input, { ...context, inquire })
  return { result, asked: asked[0]?.metadata, progress }
}

test("answers return as text for the model and data for the transcript", async () => {
  const port = { header: "Port", question: "Which port?" }
  const review = { ...database, header: "Reviewers", multiple: true }
  const answers = [
    { choices: ["PostgreSQL"], own: null },
    { choices: [], own: "5433, as 5432 is taken" },
    { choices: ["SQLite"], own: "and Bob" },
  ]
  const { result, progress } = await run({ questions: [database, port, review] }, { answers })
  expect(result.title).toBe("Database, Port, Reviewers")
  expect(result.output).toBe(
    [
      "The user answered:\n",
      'Database: "PostgreSQL"',
      "Port: in the user's own words: 5433, as 5432 is taken",
      'Reviewers: "SQLite", and in the user\'s own words: and Bob',
    ].join("\n"),
  )
  expect(result.metadata).toMatchObject({ questions: [{ header: "Database" }, {}, {}], answers, by: "ada" })
  expect(progress).toMatchObject([{ title: "Database, Port, Reviewers" }])
})

test("a question left unanswered is decided by the agent", async () => {
  const answers = [
    { choices: [], own: null },
    { choices: [], own: "80" },
  ]
  const { result } = await run({ questions: [database, { header: "Port", question: "?" }] }, { answers })
  expect(result.output).toContain("Database: (left out: decide it yourself and say what you assumed)")
})

test("the model learns of a dismissal together with its message", async () => {
  const plain = await run({ questions: [database] }, { status: "dismissed" })
  expect(plain.result.output).toMatch(/^The user dismissed the question without an answer\. Go on/)
  expect(plain.result.metadata).toMatchObject({ answers: null, by: "ada" })
  const worded = await run({ questions: [database] }, { status: "dismissed", message: "Look into the README" })
  expect(worded.result.output).toContain("without an answer, saying: Look into the README. Go on")
})

test("an agent's question is shown with hidden and direction characters escaped", async () => {
  const hostile = { header: "A\u202eB", question: "\u001b[2J<b>bold</b>", options: [{ label: "x\ny\u200b" }] }
  const { asked } = await run({ questions: [hostile] })
  expect(asked?.questions).toEqual([
    {
      header: "A\\u{202e}B",
      question: "\\u{1b}[2J<b>bold</b>",
      options: [{ label: "x y\\u{200b}", description: "" }],
      multiple: false,
    },
  ])
})

test.each([
  ["no question", { questions: [] }],
  ["more questions than a card holds", { questions: Array.from({ length: 9 }, () => database) }],
  ["a header that is too long", { questions: [{ ...database, header: "h".repeat(31) }] }],
  ["a question without end", { questions: [{ ...database, question: "?".repeat(2_001) }] }],
  ["an empty question", { questions: [{ ...database, question: "  " }] }],
  ["more options than allowed", { questions: [{ ...database, options: numbered(13) }] }],
  ["options that are the same", { questions: [{ ...database, options: [{ label: "a" }, { label: " a " }] }] }],
])("a call with %s is refused and nobody is asked", async (_, input) => {
  await expect(run(input)).rejects.toThrow(/questions/)
})

function numbered(count: number) {
  return Array.from({ length: count }, (_, index) => ({ label: `option ${index}` }))
}
